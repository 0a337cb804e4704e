type Props<View extends string> = {
  label: string;
  views: readonly View[];
  current: View;
  nameView(view: View): string;
  onChoose(view: View): void;
};

export const ViewSwitch = <View extends string>({ label, views, current, nameView, onChoose }: Props<View>) => (
  <div className="switch" role="tablist" aria-label={label}>
    {views.map((each) => (
      <button key={each} type="button" role="tab" aria-selected={current === each} onClick={() => onChoose(each)}>
        {nameView(each)}
      </button>
    ))}
  </div>
);
