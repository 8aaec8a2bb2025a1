// Floor of a start: a program that does nothing.
export {};
