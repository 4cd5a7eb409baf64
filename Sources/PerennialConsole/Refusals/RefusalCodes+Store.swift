import PerennialStore

extension StoreError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .unauthorized:
            Phrase(
                "The store doesn’t know these credentials.", fr: "Le store ne reconnaît pas ces identifiants.",
                pt: "A loja não reconhece estas credenciais.", zh: "商店不認得這些憑證。",
                de: "Der Store kennt diese Zugangsdaten nicht.")
        case .appNotFound:
            Phrase(
                "This store has no such app.", fr: "Ce store n’a pas cette app.", pt: "Esta loja não tem esse app.",
                zh: "此商店沒有該 App。", de: "Dieser Store hat diese App nicht.")
        case .accountNotFound:
            Phrase(
                "There is no such account.", fr: "Ce compte n’existe pas.", pt: "Essa conta não existe.", zh: "沒有此帳號。",
                de: "Dieses Konto gibt es nicht.")
        case .accountExists:
            Phrase(
                "There is an account of that name already.", fr: "Un compte de ce nom existe déjà.",
                pt: "Já existe uma conta com esse nome.", zh: "已有同名帳號。", de: "Ein Konto dieses Namens gibt es schon.")
        case .transactionNotFound:
            Phrase(
                "There is no such transaction.", fr: "Cette transaction n’existe pas.",
                pt: "Essa transação não existe.", zh: "沒有此交易。", de: "Diese Transaktion gibt es nicht.")
        case .purchaseNotFound:
            Phrase(
                "There is no such purchase.", fr: "Cet achat n’existe pas.", pt: "Essa compra não existe.",
                zh: "沒有此購買記錄。", de: "Diesen Kauf gibt es nicht.")
        case .approvalNotFound:
            Phrase(
                "No purchase waits under that number.", fr: "Aucun achat n’attend sous ce numéro.",
                pt: "Nenhuma compra aguarda com esse número.", zh: "沒有等待中的該編號購買。",
                de: "Unter dieser Nummer wartet kein Kauf.")
        case .subscriptionNotQuarantined:
            Phrase(
                "The subscription isn’t quarantined.", fr: "L’abonnement n’est pas en quarantaine.",
                pt: "A assinatura não está em quarentena.", zh: "此訂閱未被隔離。", de: "Das Abo ist nicht in Quarantäne.")
        case .subscriptionUnreadable:
            Phrase(
                "The subscription can’t be read. Its entry says more.",
                fr: "L’abonnement est illisible. Son entrée en dit plus.",
                pt: "A assinatura não pode ser lida. O registro dela diz mais.", zh: "無法讀取此訂閱，詳見其記錄。",
                de: "Das Abo ist nicht lesbar. Sein Eintrag sagt mehr.")
        case .familyNotFound:
            Phrase(
                "There is no such family.", fr: "Cette famille n’existe pas.", pt: "Essa família não existe.",
                zh: "沒有此家庭。", de: "Diese Familie gibt es nicht.")
        case .offerNotFound:
            Phrase(
                "There is no such offer.", fr: "Cette offre n’existe pas.", pt: "Essa oferta não existe.", zh: "沒有此優惠。",
                de: "Dieses Angebot gibt es nicht.")
        case .offerCodeExists:
            Phrase(
                "The app has this code already.", fr: "L’app a déjà ce code.", pt: "O app já tem esse código.",
                zh: "此 App 已有這個代碼。", de: "Die App hat diesen Code schon.")
        case .storefrontUnknown:
            Phrase(
                "There is no such storefront.", fr: "Cette boutique n’existe pas.", pt: "Essa loja não existe.",
                zh: "沒有此店面。", de: "Diesen Store gibt es nicht.")
        case .tooManyProducts:
            Phrase(
                "These are too many products at once.", fr: "Cela fait trop de produits à la fois.",
                pt: "São produtos demais de uma vez.", zh: "一次的產品過多。", de: "Das sind zu viele Produkte auf einmal.")
        case .priceNotScheduled:
            Phrase(
                "No price is scheduled for that time.", fr: "Aucun prix n’est prévu à ce moment.",
                pt: "Nenhum preço está agendado para esse momento.", zh: "該時間沒有排定的價格。",
                de: "Für diese Zeit ist kein Preis geplant.")
        case .clockRunsByItself:
            Phrase(
                "This clock follows real time and can’t be moved.",
                fr: "Cette horloge suit le temps réel et ne peut pas être avancée.",
                pt: "Este relógio segue o tempo real e não pode ser movido.", zh: "此時鐘依實際時間運行，無法移動。",
                de: "Diese Uhr läuft in echter Zeit und lässt sich nicht stellen.")
        case .timeInThePast:
            Phrase(
                "The clock only moves forward.", fr: "L’horloge n’avance que dans un sens.", pt: "O relógio só avança.",
                zh: "時鐘只能往前。", de: "Die Uhr geht nur vorwärts.")
        case .environmentExists:
            Phrase(
                "There is an environment of that name already.", fr: "Un environnement de ce nom existe déjà.",
                pt: "Já existe um ambiente com esse nome.", zh: "已有同名環境。",
                de: "Eine Umgebung dieses Namens gibt es schon.")
        case .environmentNotFound:
            Phrase(
                "There is no such environment.", fr: "Cet environnement n’existe pas.", pt: "Esse ambiente não existe.",
                zh: "沒有此環境。", de: "Diese Umgebung gibt es nicht.")
        case .environmentPermanent:
            Phrase(
                "This environment is always there. It can be emptied.",
                fr: "Cet environnement existe toujours. Il peut être vidé.",
                pt: "Este ambiente existe sempre. Ele pode ser esvaziado.", zh: "此環境一律存在，但可清空。",
                de: "Diese Umgebung ist immer da. Sie kann geleert werden.")
        case .malformed:
            Phrase(
                "This value isn’t allowed here.", fr: "Cette valeur n’est pas permise ici.",
                pt: "Este valor não é permitido aqui.", zh: "此處不允許這個值。", de: "Dieser Wert ist hier nicht erlaubt.")
        }
    }
}

extension NotificationError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .urlNotFound:
            Phrase(
                "No notification URL is set.", fr: "Aucune URL de notification n’est définie.",
                pt: "Nenhuma URL de notificações está definida.", zh: "尚未設定通知 URL。",
                de: "Es ist keine URL für Mitteilungen gesetzt.")
        case .testNotFound:
            Phrase(
                "There is no such test, or its result isn’t known yet.",
                fr: "Ce test n’existe pas, ou son résultat n’est pas encore connu.",
                pt: "Esse teste não existe, ou o resultado ainda não é conhecido.", zh: "沒有此測試，或結果尚未得知。",
                de: "Diesen Test gibt es nicht, oder sein Ergebnis ist noch nicht bekannt.")
        case .notificationNotFound:
            Phrase(
                "There is no such notification.", fr: "Cette notification n’existe pas.",
                pt: "Essa notificação não existe.", zh: "沒有此通知。", de: "Diese Mitteilung gibt es nicht.")
        case .malformedURL:
            Phrase(
                "This is no URL that notifications can be sent to.",
                fr: "Cette URL ne peut pas recevoir de notifications.", pt: "Esta URL não pode receber notificações.",
                zh: "此 URL 無法接收通知。", de: "An diese URL können keine Mitteilungen gesendet werden.")
        case .malformedTimeout:
            Phrase(
                "This time-out isn’t allowed.", fr: "Ce délai n’est pas permis.",
                pt: "Este tempo limite não é permitido.", zh: "不允許此逾時值。", de: "Diese Zeitgrenze ist nicht erlaubt.")
        case .malformedFaults:
            Phrase(
                "This fault isn’t allowed.", fr: "Cette perturbation n’est pas permise.",
                pt: "Esta falha não é permitida.", zh: "不允許此故障設定。", de: "Diese Störung ist nicht erlaubt.")
        case .malformedPage:
            Phrase(
                "This page of the list isn’t valid any more.", fr: "Cette page de la liste n’est plus valable.",
                pt: "Esta página da lista não vale mais.", zh: "清單的此頁已失效。", de: "Diese Seite der Liste gilt nicht mehr."
            )
        }
    }
}

extension FinanceError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .monthNotOver:
            Phrase(
                "The fiscal month isn’t over.", fr: "Le mois fiscal n’est pas terminé.",
                pt: "O mês fiscal não terminou.", zh: "會計月份尚未結束。", de: "Der Geschäftsmonat ist nicht zu Ende.")
        case .earlierMonthOpen:
            Phrase(
                "An earlier month has to be closed first.", fr: "Un mois antérieur doit d’abord être clôturé.",
                pt: "Um mês anterior precisa ser fechado primeiro.", zh: "須先結算較早的月份。",
                de: "Erst muss ein früherer Monat abgeschlossen werden.")
        case .monthPassed:
            Phrase(
                "The month is before the first closing.", fr: "Le mois précède la première clôture.",
                pt: "O mês é anterior ao primeiro fechamento.", zh: "此月份早於首次結算。",
                de: "Der Monat liegt vor dem ersten Abschluss.")
        case .workOverdue:
            Phrase(
                "Renewals of the month aren’t processed yet.",
                fr: "Des renouvellements du mois ne sont pas encore traités.",
                pt: "Renovações do mês ainda não foram processadas.", zh: "該月的續訂尚未處理。",
                de: "Verlängerungen des Monats sind noch nicht bearbeitet.")
        case .exchangeRateMissing:
            Phrase(
                "An exchange rate is missing.", fr: "Un taux de change manque.", pt: "Falta uma taxa de câmbio.",
                zh: "缺少匯率。", de: "Ein Wechselkurs fehlt.")
        case .monthNotClosed:
            Phrase(
                "The fiscal month isn’t closed.", fr: "Ce mois fiscal n’est pas clôturé.",
                pt: "Este mês fiscal não está fechado.", zh: "會計月份尚未結算。",
                de: "Der Geschäftsmonat ist nicht abgeschlossen.")
        case .idempotencyKeyReused:
            Phrase(
                "The key was used for another adjustment.", fr: "La clé a déjà servi à un autre ajustement.",
                pt: "A chave já foi usada em outro ajuste.", zh: "金鑰已用於其他調整。",
                de: "Der Schlüssel wurde schon für eine andere Korrektur benutzt.")
        case .malformed:
            Phrase(
                "This value isn’t allowed here.", fr: "Cette valeur n’est pas permise ici.",
                pt: "Este valor não é permitido aqui.", zh: "此處不允許這個值。", de: "Dieser Wert ist hier nicht erlaubt.")
        }
    }
}

extension ExplainError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .malformed:
            Phrase(
                "This value isn’t allowed here.", fr: "Cette valeur n’est pas permise ici.",
                pt: "Este valor não é permitido aqui.", zh: "此處不允許這個值。", de: "Dieser Wert ist hier nicht erlaubt.")
        case .figureNotFound:
            Phrase(
                "No report has this figure.", fr: "Aucun rapport n’a ce chiffre.",
                pt: "Nenhum relatório tem este número.", zh: "沒有報告包含此數字。", de: "Kein Bericht hat diese Zahl.")
        }
    }
}

extension ReportError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .missingParameter:
            Phrase(
                "A parameter of the report is missing.", fr: "Un paramètre du rapport manque.",
                pt: "Falta um parâmetro do relatório.", zh: "缺少報告參數。", de: "Ein Parameter des Berichts fehlt.")
        case .invalidParameter:
            Phrase(
                "There is no report of this kind for this date.",
                fr: "Il n’y a pas de rapport de ce type à cette date.",
                pt: "Não há relatório desse tipo para esta data.", zh: "此日期沒有這類報告。",
                de: "Für dieses Datum gibt es keinen solchen Bericht.")
        case .notFound:
            Phrase(
                "The report isn’t there: the period isn’t over, or has no sales.",
                fr: "Le rapport n’existe pas\u{202F}: la période n’est pas terminée ou n’a pas de ventes.",
                pt: "O relatório não existe: o período não terminou ou não tem vendas.", zh: "沒有此報告：期間尚未結束，或沒有銷售。",
                de: "Den Bericht gibt es nicht: Der Zeitraum ist nicht zu Ende oder hat keine Verkäufe.")
        case .unknownVendor:
            Phrase(
                "The vendor number isn’t that of this store.", fr: "Le numéro de vendeur n’est pas celui de ce store.",
                pt: "O número do fornecedor não é o desta loja.", zh: "廠商編號不屬於此商店。",
                de: "Die Anbieternummer ist nicht die dieses Stores.")
        }
    }
}
