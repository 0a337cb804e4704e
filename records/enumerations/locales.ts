// Currencies, languages, countries (ISO 3166) and time zones.
import { timeZones } from "./time-zones.ts";

// biome-ignore format: values in rank order, many to a line
export const currencies = {
  "account.currency": [
    "aed", "ars", "aud", "bam", "brl", "btc", "cad", "chf", "clp", "cny", "cop", "czk", "dkk", "dzd", "eur", "gbp",
    "ghs", "hkd", "hrk", "huf", "idr", "ils", "inr", "jpy", "krw", "mxn", "ngn", "nok", "nzd", "omr", "pkr", "php",
    "pln", "rsd", "rub", "sek", "sgd", "thb", "try", "twd", "usd", "zar",
  ],
} as const;

// biome-ignore format: values in rank order, many to a line
export const locales = {
  language: [
    "en-US", "en-GB", "nl", "de", "fr", "es", "es-AR", "es-ES", "eu", "pt-PT", "pt-BR", "it", "da", "ga", "cy", "fi",
    "nb", "sv", "is", "pl", "cs", "el", "ro", "hu", "bg", "sk", "tr", "ru", "uk", "et", "ar", "zh-CN", "zh-TW", "ja",
    "ko", "id", "th", "vi", "ms", "fa", "he", "hi", "af", "am", "az", "bs", "hr", "fa-AF", "fr-CA", "ka", "lv", "lt",
    "sr", "sr@latin", "sl", "ta", "mk",
  ],
  countries: [
    "AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AQ", "AR", "AS", "AT", "AU", "AW", "AX", "AZ", "BA", "BB", "BD",
    "BE", "BF", "BG", "BH", "BI", "BJ", "BL", "BM", "BN", "BO", "BQ", "BR", "BS", "BT", "BV", "BW", "BY", "BZ", "CA",
    "CC", "CD", "CF", "CG", "CH", "CI", "CK", "CL", "CM", "CN", "CO", "CR", "CU", "CV", "CW", "CX", "CY", "CZ", "DE",
    "DJ", "DK", "DM", "DO", "DZ", "EC", "EE", "EG", "EH", "ER", "ES", "ET", "FI", "FJ", "FK", "FM", "FO", "FR", "GA",
    "GB", "GD", "GE", "GF", "GG", "GH", "GI", "GL", "GM", "GN", "GP", "GQ", "GR", "GS", "GT", "GU", "GW", "GY", "HK",
    "HM", "HN", "HR", "HT", "HU", "ID", "IE", "IL", "IM", "IN", "IO", "IQ", "IR", "IS", "IT", "JE", "JM", "JO", "JP",
    "KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ", "LA", "LB", "LC", "LI", "LK", "LR", "LS", "LT",
    "LU", "LV", "LY", "MA", "MC", "MD", "ME", "MF", "MG", "MH", "MK", "ML", "MM", "MN", "MO", "MP", "MQ", "MR", "MS",
    "MT", "MU", "MV", "MW", "MX", "MY", "MZ", "NA", "NC", "NE", "NF", "NG", "NI", "NL", "NO", "NP", "NR", "NU", "NZ",
    "OM", "PA", "PE", "PF", "PG", "PH", "PK", "PL", "PM", "PN", "PR", "PS", "PT", "PW", "PY", "QA", "RE", "RO", "RS",
    "RU", "RW", "SA", "SB", "SC", "SD", "SE", "SG", "SH", "SI", "SJ", "SK", "SL", "SM", "SN", "SO", "SR", "SS", "ST",
    "SV", "SX", "SY", "SZ", "TC", "TD", "TF", "TG", "TH", "TJ", "TK", "TL", "TM", "TN", "TO", "TR", "TT", "TV", "TW",
    "TZ", "UA", "UG", "UM", "US", "UY", "UZ", "VA", "VC", "VE", "VG", "VI", "VN", "VU", "WF", "WS", "YE", "YT", "ZA",
    "ZM", "ZW",
  ],
  time_zone: Object.keys(timeZones) as (keyof typeof timeZones)[],
} as const;
