import Perennial

/// The accounts of the ledger, and the rules by which its amounts come about, in words.
enum LedgerWords {
    static func name(of account: Posting.Account) -> Phrase {
        switch account {
        case .customer:
            Phrase(
                "Customers’ payments", fr: "Paiements des clients", pt: "Pagamentos dos clientes", zh: "顧客付款",
                de: "Zahlungen der Kunden")
        case .proceeds: Words.proceeds
        case .commission: PaymentPhrases.commission
        case .tax: Phrase("Tax", fr: "Taxe", pt: "Imposto", zh: "稅金", de: "Steuer")
        case .payable:
            Phrase(
                "Due for closed months", fr: "Dû pour les mois clôturés", pt: "Devido por meses encerrados",
                zh: "已結算月份應付款", de: "Offen aus abgeschlossenen Monaten")
        case .withholding: PaymentPhrases.withholding
        case .inputTax: PaymentPhrases.inputTax
        case .adjustment: PaymentPhrases.adjustments
        case .exchange:
            Phrase(
                "Currency exchange", fr: "Change de devises", pt: "Câmbio de moedas", zh: "貨幣兌換",
                de: "Währungstausch")
        case .bank:
            Phrase(
                "Seller’s bank account", fr: "Compte bancaire du vendeur", pt: "Conta bancária do vendedor",
                zh: "賣方銀行帳戶", de: "Bankkonto des Verkäufers")
        }
    }

    static func title(of rule: MoneyRule) -> Phrase {
        switch rule {
        case .price: PricePhrases.prices
        case .preservedPrice:
            Phrase(
                "Preserved prices", fr: "Prix conservés", pt: "Preços mantidos", zh: "保留的價格",
                de: "Beibehaltene Preise")
        case .offer: ProductPhrases.offers
        case .rounding: Phrase("Rounding", fr: "Arrondi", pt: "Arredondamento", zh: "捨入", de: "Rundung")
        case .tax: PaymentPhrases.tax
        case .commission: PaymentPhrases.commission
        case .smallBusiness:
            Phrase(
                "Small Business Program", fr: "Programme pour les petites entreprises",
                pt: "Programa para Pequenas Empresas", zh: "小型企業計畫", de: "Programm für kleine Unternehmen")
        case .rateAfterOneYear:
            Phrase(
                "Rate after one year", fr: "Taux après un an", pt: "Taxa após um ano", zh: "一年後的費率",
                de: "Satz nach einem Jahr")
        case .refund: Words.refunds
        case .proratedRefund:
            Phrase(
                "Upgrades", fr: "Passages au niveau supérieur", pt: "Upgrades de plano", zh: "升級", de: "Hochstufungen")
        case .refundReversal:
            Phrase(
                "Refund reversals", fr: "Annulations de remboursement", pt: "Reversões de reembolso", zh: "退款撤銷",
                de: "Rücknahmen von Erstattungen")
        case .appDownload: Words.apps
        }
    }
}
