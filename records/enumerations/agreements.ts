// Affected SLAs, agreements, offerings: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const agreements = {
  "affected_sla.accountability": ["provider", "supplier", "sla_not_affected"],
  "agreement.status": ["being_prepared", "scheduled_for_activation", "active", "expired"],
  "sla.coverage": [
    "customer_account", "organizations_and_descendants", "organizations", "sites", "organizations_and_sites",
    "people", "cis_of_service_instance", "skill_pools", "service_instances",
  ],
  "parent_service_instance.impact_relation": ["down", "degraded"],
  "service_offering.status": ["planned", "unpublished", "available", "temporarily_unavailable", "discontinued"],
  "service_offering.charge_type": ["fixed_price", "time_material"],
  "service_offering.report_frequency": [
    "daily", "weekly", "once_every_2_weeks", "monthly", "once_every_2_months", "quarterly", "once_every_6_months",
    "yearly", "once_every_2_years", "no_commitment",
  ],
  "service_offering.review_frequency": [
    "daily", "weekly", "once_every_2_weeks", "monthly", "once_every_2_months", "quarterly", "once_every_6_months",
    "yearly", "once_every_2_years", "no_commitment",
  ],
  "service_instance.status": ["being_prepared", "in_production", "discontinued"],
} as const;
