import { Box, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { t } from "../languages/index.ts";

/** Grey lines in the shape of what is coming. */
export function LoadingSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Box p="md" aria-busy="true">
      <VisuallyHidden role="status">{t("app.loading")}</VisuallyHidden>
      <Stack gap="md">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
          <Skeleton key={row} height={18} width={`${95 - ((row * 17) % 40)}%`} />
        ))}
      </Stack>
    </Box>
  );
}
