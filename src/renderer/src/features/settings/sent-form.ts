/** Empties a form, unless it was changed after this was sent; says whether it did. */
export function emptySent(form: HTMLFormElement, sent: FormData): boolean {
  const isUnchanged = [...new FormData(form)].every(([name, value]) => value === sent.get(name));
  if (isUnchanged) form.reset();
  return isUnchanged;
}
