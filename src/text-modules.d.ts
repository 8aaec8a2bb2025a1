declare module "*.sql" {
  const text: string;
  export = text;
}
declare module "*.md" {
  const text: string;
  export = text;
}
declare module "*.css" {
  const text: string;
  export = text;
}
