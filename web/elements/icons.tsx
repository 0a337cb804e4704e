// The few icons of the interface, as lines on a 24 by 24 grid. They are used beside text or on labeled buttons, so they
// are hidden from screen readers.

type Size = { size?: number };

function SvgIcon({ size = 18, d, bold = false }: Size & { d: string; bold?: boolean }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={bold ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={d} />
    </svg>
  );
}

export const SearchIcon = (props: Size) => (
  <SvgIcon {...props} d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.500 15.500L20 20" />
);
export const AddIcon = (props: Size) => <SvgIcon {...props} d="M12 5v14M5 12h14" />;
export const FilterIcon = (props: Size) => <SvgIcon {...props} d="M4 6h16M7 12h10M10 18h4" />;
export const CloseIcon = (props: Size) => <SvgIcon {...props} d="M6 6l12 12M18 6L6 18" />;
export const NextIcon = (props: Size) => <SvgIcon {...props} d="M9 6l6 6-6 6" />;
export const PreviousIcon = (props: Size) => <SvgIcon {...props} d="M15 6l-6 6 6 6" />;
export const DownIcon = (props: Size) => <SvgIcon {...props} d="M6 9l6 6 6-6" />;
export const AscendingIcon = (props: Size) => <SvgIcon {...props} d="M12 19V5M6 11l6-6 6 6" />;
export const DescendingIcon = (props: Size) => <SvgIcon {...props} d="M12 5v14M6 13l6 6 6-6" />;
export const MoreIcon = (props: Size) => <SvgIcon {...props} bold d="M5 12h.01M12 12h.01M19 12h.01" />;
export const EditIcon = (props: Size) => <SvgIcon {...props} d="M4 20h4L19 9l-4-4L4 16v4zM13.500 6.500l4 4" />;
export const DeleteIcon = (props: Size) => (
  <SvgIcon {...props} d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6" />
);
export const CopyIcon = (props: Size) => <SvgIcon {...props} d="M8 8h12v12H8zM16 8V4H4v12h4" />;
export const CheckIcon = (props: Size) => <SvgIcon {...props} d="M5 12l5 5L20 7" />;
export const ColumnsIcon = (props: Size) => <SvgIcon {...props} d="M4 5h16v14H4zM10 5v14M15 5v14" />;
export const AlertIcon = (props: Size) => <SvgIcon {...props} d="M12 4l9 16H3zM12 10v4M12 17h.01" />;
export const EmptyIcon = (props: Size) => <SvgIcon {...props} d="M4 13l3-8h10l3 8v6H4zM4 13h5a3 3 0 0 0 6 0h5" />;
export const PersonIcon = (props: Size) => (
  <SvgIcon {...props} d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20a8 8 0 0 1 16 0" />
);
export const FileIcon = (props: Size) => <SvgIcon {...props} d="M6 3h8l4 4v14H6zM14 3v4h4" />;
