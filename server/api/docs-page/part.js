// The part of the document that belongs to one tag. Swagger UI works through everything it is given for each operation
// that is opened: the whole document would take it seconds every time.

export function partOf(whole, name) {
  const tag = whole.tags.find((candidate) => candidate.name === name);
  const paths = {};
  for (const [path, { parameters = [], ...methods }] of Object.entries(whole.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.tags.includes(name)) {
        paths[path] ??= {};
        // Path parameters come first in the form.
        paths[path][method] = { ...operation, parameters: [...parameters, ...operation.parameters] };
      }
  const { license, ...info } = whole.info;
  return {
    ...whole,
    info: tag === undefined ? { ...info, license } : { ...info, title: tag.name, description: tag.description },
    tags: tag === undefined ? [] : [{ name: tag.name }],
    paths,
    components: { ...neededBy(paths, whole.components), securitySchemes: whole.components.securitySchemes },
  };
}

function neededBy(paths, components) {
  const needed = {};
  const look = (value) => {
    if (typeof value !== "object" || value === null) return;
    if (typeof value.$ref === "string") {
      const [, , section, name] = value.$ref.split("/");
      needed[section] ??= {};
      if (needed[section][name] === undefined) {
        needed[section][name] =
          section === "responses" ? shortened(components[section][name]) : components[section][name];
        look(needed[section][name]);
      }
    }
    for (const member of Object.values(value)) look(member);
  };
  look(paths);
  return needed;
}

/** The introduction describes the common parts: most errors, and the headers of every response. */
function shortened({ description, headers = {}, content }) {
  const isFailure = content?.["application/json"]?.schema.$ref?.endsWith("Error");
  const isPlain = isFailure && !content["application/json"].schema.$ref.endsWith("ValidationError");
  const own = Object.entries(headers).filter(([name]) => !/^X-(RateLimit|Request)-/.test(name));
  if (isPlain) return { description };
  return { description, headers: Object.fromEntries(own), ...(content && { content }) };
}
