import { PersonRoles } from "./person-roles.tsx";
import { RightsMatrix } from "./rights-matrix.tsx";
import { RightsQuestion } from "./rights-question.tsx";

/** A person's permissions and the reasons for them. */
export function PersonRights({ person, name }: { person: number; name: string }) {
  return (
    <div className="rights">
      <PersonRoles person={person} name={name} />
      <RightsQuestion person={person} name={name} />
      <RightsMatrix person={person} />
    </div>
  );
}
