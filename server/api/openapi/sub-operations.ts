import { singular, type Type } from "../../engine/types.ts";
import { done, found, linked } from "./answers.ts";
import type { Context } from "./components.ts";
import { fieldsParameter } from "./list-parameters.ts";
import { inSentence, one, pascal, schemaName } from "./names.ts";
import type { Operations } from "./operation.ts";
import { changing, creating, listing, viewsOf } from "./verbs.ts";

// What is said about the routes below a record; sub-routes.ts makes them.

function listOperations(context: Context, type: Type, name: string, target: Type): Operations {
  return viewsOf(target).map(({ view, suffix, words }) => [
    `GET /${type.collection}/:id/${name}${suffix}`,
    () =>
      listing(context, target, {
        operationId: `list${pascal(name)}${pascal(view)}Of${schemaName(type)}`,
        summary: `List the ${inSentence(name)} of ${one(type.name)}${words}`,
      }),
  ]);
}

export const readOnlyListOperations = (context: Context, type: Type): Operations =>
  Object.entries(type.lists).flatMap(([name, list]) => {
    const target = context.types.named(list.of);
    const middle = "through" in list ? list.through : undefined;
    return [
      ...listOperations(context, type, name, target),
      ...(middle === undefined ? [] : throughOperations(context, type, name, target, context.types.named(middle))),
    ];
  });

function throughOperations(context: Context, type: Type, name: string, target: Type, middle: Type): Operations {
  const path = `/${type.collection}/:id/${name}`;
  const [added, parent] = [one(target.name), schemaName(type)];
  return [
    [
      `POST ${path}`,
      () => ({
        ...creating(context, middle, 200, {
          operationId: `add${schemaName(target)}To${parent}`,
          summary: `Add ${added} to ${one(type.name)}`,
        }),
        description: `A shorter way to create ${one(middle.name)}; the members may stand in the query.`,
        responses: { 200: linked(context) },
      }),
    ],
    [
      `DELETE ${path}/:other`,
      () => ({
        operationId: `take${schemaName(target)}From${parent}`,
        summary: `Take ${added} from ${one(type.name)}`,
        responses: { 204: done(context) },
      }),
    ],
    [
      `DELETE ${path}`,
      () => ({
        operationId: `takeAll${pascal(name)}From${parent}`,
        summary: `Take all ${inSentence(name)} from ${one(type.name)}`,
        responses: { 204: done(context) },
      }),
    ],
  ];
}

export function linkOperations(context: Context, type: Type): Operations {
  return Object.entries(type.links).flatMap(([name, { to, createByName: named }]): Operations => {
    const target = context.types.named(to);
    const path = `/${type.collection}/:id/${name}`;
    const [single, parent] = [singular(name), schemaName(type)];
    return [
      ...listOperations(context, type, name, target),
      ...(named
        ? [
            [
              `POST ${path}`,
              () =>
                creating(context, target, 200, {
                  operationId: `name${pascal(single)}Of${parent}`,
                  summary: `Link ${one(single)} by its name to ${one(type.name)}`,
                }),
            ] as Operations[number],
          ]
        : []),
      [
        `POST ${path}/:other`,
        () => ({
          operationId: `link${pascal(single)}To${parent}`,
          summary: `Link ${one(single)} to ${one(type.name)}`,
          description: "Linking what is linked already changes nothing. Takes no body.",
          responses: { 200: linked(context) },
        }),
      ],
      [
        `DELETE ${path}/:other`,
        () => ({
          operationId: `unlink${pascal(single)}From${parent}`,
          summary: `Unlink ${one(single)} from ${one(type.name)}`,
          responses: { 204: done(context) },
        }),
      ],
      [
        `DELETE ${path}`,
        () => ({
          operationId: `unlinkAll${pascal(name)}From${parent}`,
          summary: `Unlink all ${inSentence(name)} from ${one(type.name)}`,
          responses: { 204: done(context) },
        }),
      ],
    ];
  });
}

export function childOperations(context: Context, type: Type): Operations {
  return Object.entries(type.children).flatMap(([name, { of }]): Operations => {
    const child = context.types.named(of);
    const path = `/${type.collection}/:id/${name}`;
    const which = `${one(singular(name))} of ${one(type.name)}`;
    const called = `${pascal(singular(name))}Of${schemaName(type)}`;
    return [
      ...listOperations(context, type, name, child),
      [
        `GET ${path}/:child`,
        () => ({
          operationId: `get${called}`,
          summary: `Read ${which}`,
          parameters: [fieldsParameter(context, child)],
          responses: { 200: found(context, child) },
        }),
      ],
      [
        `POST ${path}`,
        () =>
          creating(context, child, child.createStatus, { operationId: `create${called}`, summary: `Create ${which}` }),
      ],
      ...["PATCH", "PUT"].map((method): Operations[number] => [
        `${method} ${path}/:child`,
        () => changing(context, child, method, which, called),
      ]),
      [
        `DELETE ${path}/:child`,
        () => ({ operationId: `delete${called}`, summary: `Delete ${which}`, responses: { 204: done(context) } }),
      ],
      [
        `DELETE ${path}`,
        () => ({
          operationId: `deleteAll${pascal(name)}Of${schemaName(type)}`,
          summary: `Delete all ${inSentence(name)} of ${one(type.name)}`,
          responses: { 204: done(context) },
        }),
      ],
    ];
  });
}
