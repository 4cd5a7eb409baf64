/// A storefront, by its ISO 3166-1 alpha-3 code (`USA`), as in StoreKit's `SKStorefront.countryCode`.
package struct Storefront: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    private let code: PackedCode

    package init(rawValue: String) {
        code = PackedCode(rawValue)
    }

    init(_ code: PackedCode) { self.code = code }

    package var rawValue: String { code.text }

    package static let usa = Storefront(rawValue: "USA")
    package var description: String { rawValue }

    package static func == (one: Storefront, other: Storefront) -> Bool { one.code == other.code }
    /// Compares by alphabetical order.
    package static func < (one: Storefront, other: Storefront) -> Bool { one.code < other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The fixed properties of a storefront: its number, currency and default locale.
package struct StorefrontInfo: Hashable, Sendable {
    package let storefront: Storefront
    /// The App Store's number, as in `SKStorefront.identifier`: 143441 for the United States.
    package let number: Int
    package let currency: Currency
    /// The default locale of prices.
    package let locale: String
}

extension Storefront {
    /// All storefronts of the App Store, in alphabetical order.
    package static let all: [StorefrontInfo] = table.split(whereSeparator: { $0 == "\n" || $0 == "|" }).compactMap {
        row in
        let columns = row.split(separator: " ")
        guard columns.count == 4, let number = Int(columns[1]) else { return nil }
        return StorefrontInfo(
            storefront: Storefront(rawValue: String(columns[0])), number: 143_000 + number,
            currency: Currency(rawValue: String(columns[2])), locale: String(columns[3]))
    }

    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.storefront, $0) })
    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    /// The storefront's properties; `nil` for a code that the App Store doesn't have.
    package var info: StorefrontInfo? { Self.byCode[self] }

    /// The storefront's currency; `nil` for a code that the App Store doesn't have.
    package var currency: Currency? { info?.currency }

    /// The App Store's number for the storefront: 143441 for the United States.
    package var number: Int? { info?.number }

    /// Creates the storefront of an App Store number.
    package init?(number: Int) {
        guard let info = Self.byNumber[number] else { return nil }
        self = info.storefront
    }

    /// The App Store's storefronts, one in each cell: ISO 3166-1 alpha-3 code (Kosovo: XKS, as Apple writes it),
    /// number less 143000, currency (App Store Connect's list of financial regions: 43 currencies, US dollars
    /// elsewhere), default locale.
    private static let table = """
        AFG 610 USD en_AF|AGO 564 USD pt_AO|AIA 538 USD en_AI|ALB 575 USD en_AL|ARE 481 AED ar_AE|ARG 505 USD es_AR
        ARM 524 USD en_AM|ATG 540 USD en_AG|AUS 460 AUD en_AU|AUT 445 EUR de_AT|AZE 568 USD en_AZ|BEL 446 EUR nl_BE
        BEN 576 USD fr_BJ|BFA 578 USD fr_BF|BGR 526 EUR bg_BG|BHR 559 USD ar_BH|BHS 539 USD en_BS|BIH 612 EUR hr_BA
        BLR 565 USD ru_BY|BLZ 555 USD en_BZ|BMU 542 USD en_BM|BOL 556 USD es_BO|BRA 503 BRL pt_BR|BRB 541 USD en_BB
        BRN 560 USD en_BN|BTN 577 USD en_BT|BWA 525 USD en_BW|CAN 455 CAD en_CA|CHE 459 CHF de_CH|CHL 483 CLP es_CL
        CHN 465 CNY zh_CN|CIV 527 USD fr_CI|CMR 574 USD fr_CM|COD 613 USD fr_CD|COG 582 USD fr_CG|COL 501 COP es_CO
        CPV 580 USD pt_CV|CRI 495 USD es_CR|CYM 544 USD en_KY|CYP 557 EUR el_CY|CZE 489 CZK cs_CZ|DEU 443 EUR de_DE
        DMA 545 USD en_DM|DNK 458 DKK da_DK|DOM 508 USD es_DO|DZA 563 USD ar_DZ|ECU 509 USD es_EC|EGY 516 EGP ar_EG
        ESP 454 EUR es_ES|EST 518 EUR et_EE|FIN 447 EUR fi_FI|FJI 583 USD en_FJ|FRA 442 EUR fr_FR|FSM 591 USD en_FM
        GAB 614 USD fr_GA|GBR 444 GBP en_GB|GEO 615 USD en_GE|GHA 573 USD en_GH|GMB 584 USD en_GM|GNB 585 USD pt_GW
        GRC 448 EUR el_GR|GRD 546 USD en_GD|GTM 504 USD es_GT|GUY 553 USD en_GY|HKG 463 HKD zh_HK|HND 510 USD es_HN
        HRV 494 EUR hr_HR|HUN 482 HUF hu_HU|IDN 476 IDR id_ID|IND 467 INR en_IN|IRL 449 EUR en_IE|IRQ 617 USD ar_IQ
        ISL 558 USD is_IS|ISR 491 ILS he_IL|ITA 450 EUR it_IT|JAM 511 USD en_JM|JOR 528 USD ar_JO|JPN 462 JPY ja_JP
        KAZ 517 KZT kk_KZ|KEN 529 USD en_KE|KGZ 586 USD ky_KG|KHM 579 USD en_KH|KNA 548 USD en_KN|KOR 466 KRW ko_KR
        KWT 493 USD ar_KW|LAO 587 USD en_LA|LBN 497 USD ar_LB|LBR 588 USD en_LR|LBY 567 USD ar_LY|LCA 549 USD en_LC
        LKA 486 USD en_LK|LTU 520 EUR lt_LT|LUX 451 EUR fr_LU|LVA 519 EUR lv_LV|MAC 515 USD zh_MO|MAR 620 USD fr_MA
        MDA 523 USD ro_MD|MDG 531 USD fr_MG|MDV 488 USD en_MV|MEX 468 MXN es_MX|MKD 530 USD mk_MK|MLI 532 USD fr_ML
        MLT 521 EUR en_MT|MMR 570 USD en_MM|MNE 619 EUR sr_ME|MNG 592 USD mn_MN|MOZ 593 USD pt_MZ|MRT 590 USD ar_MR
        MSR 547 USD en_MS|MUS 533 USD en_MU|MWI 589 USD en_MW|MYS 473 MYR ms_MY|NAM 594 USD en_NA|NER 534 USD fr_NE
        NGA 561 NGN en_NG|NIC 512 USD es_NI|NLD 452 EUR nl_NL|NOR 457 NOK nb_NO|NPL 484 USD en_NP|NRU 606 USD en_NR
        NZL 461 NZD en_NZ|OMN 562 USD ar_OM|PAK 477 PKR en_PK|PAN 485 USD es_PA|PER 507 PEN es_PE|PHL 474 PHP en_PH
        PLW 595 USD en_PW|PNG 597 USD en_PG|POL 478 PLN pl_PL|PRT 453 EUR pt_PT|PRY 513 USD es_PY|QAT 498 QAR ar_QA
        ROU 487 RON ro_RO|RUS 469 RUB ru_RU|RWA 621 USD en_RW|SAU 479 SAR ar_SA|SEN 535 USD fr_SN|SGP 464 SGD en_SG
        SLB 601 USD en_SB|SLE 600 USD en_SL|SLV 506 USD es_SV|SRB 500 EUR sr_RS|STP 598 USD pt_ST|SUR 554 USD nl_SR
        SVK 496 EUR sk_SK|SVN 499 EUR sl_SI|SWE 456 SEK sv_SE|SWZ 602 USD en_SZ|SYC 599 USD en_SC|TCA 552 USD en_TC
        TCD 581 USD fr_TD|THA 475 THB th_TH|TJK 603 USD en_TJ|TKM 604 USD en_TM|TON 608 USD en_TO|TTO 551 USD en_TT
        TUN 536 USD ar_TN|TUR 480 TRY tr_TR|TWN 470 TWD zh_TW|TZA 572 TZS en_TZ|UGA 537 USD en_UG|UKR 492 USD uk_UA
        URY 514 USD es_UY|USA 441 USD en_US|UZB 566 USD en_UZ|VCT 550 USD en_VC|VEN 502 USD es_VE|VGB 543 USD en_VG
        VNM 471 VND vi_VN|VUT 609 USD en_VU|XKS 624 EUR sq_XK|YEM 571 USD ar_YE|ZAF 472 ZAR en_ZA|ZMB 622 USD en_ZM
        ZWE 605 USD en_ZW
        """
}
