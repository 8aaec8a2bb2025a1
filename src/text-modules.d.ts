declare module "*.sql" {
  const text: string;
  export = text;
}
declare module "*.md" {
  const text: string;
  export = text;
}
declare module "*.pack" {
  const path: string;
  export = path;
}
declare module "*.css" {
  const text: string;
  export = text;
}
