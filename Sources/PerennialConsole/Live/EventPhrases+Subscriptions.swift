import Perennial

extension EventPhrases {
    /// Returns the name of a subscription's event. Events that other products have as well are named with theirs.
    static func name(_ event: DomainEvent.Kind) -> Phrase {
        switch event {
        case .subscribed: Phrase("Subscribed", fr: "Abonné", pt: "Assinado", zh: "已訂閱", de: "Abonniert")
        case .resubscribed:
            Phrase("Resubscribed", fr: "Réabonné", pt: "Assinado de novo", zh: "重新訂閱", de: "Erneut abonniert")
        case .offerRedeemed:
            Phrase("Offer redeemed", fr: "Offre utilisée", pt: "Oferta resgatada", zh: "已兌換優惠", de: "Angebot eingelöst")
        case .upgradedWithOffer:
            Phrase(
                "Upgraded with an offer", fr: "Passé à un niveau supérieur avec une offre",
                pt: "Nível superior com oferta", zh: "以優惠升級", de: "Mit Angebot hochgestuft")
        case .downgradeScheduledWithOffer:
            Phrase(
                "Downgrade with an offer scheduled", fr: "Passage à un niveau inférieur avec une offre prévu",
                pt: "Nível inferior com oferta agendado", zh: "已排定以優惠降級", de: "Herabstufung mit Angebot geplant")
        case .upgraded:
            Phrase(
                "Upgraded", fr: "Passé à un niveau supérieur", pt: "Nível superior", zh: "已升級", de: "Hochgestuft")
        case .downgradeScheduled:
            Phrase(
                "Downgrade scheduled", fr: "Passage à un niveau inférieur prévu", pt: "Nível inferior agendado",
                zh: "已排定降級", de: "Herabstufung geplant")
        case .changeCancelled:
            Phrase(
                "Change of plan cancelled", fr: "Changement de formule annulé", pt: "Mudança de plano cancelada",
                zh: "已取消方案變更", de: "Tarifwechsel abgebrochen")
        case .autoRenewEnabled:
            Phrase(
                "Auto-renew turned on", fr: "Renouvellement automatique activé", pt: "Renovação automática ativada",
                zh: "已開啟自動續訂", de: "Automatische Verlängerung eingeschaltet")
        case .autoRenewDisabled, .autoRenewEnded:
            Phrase(
                "Auto-renew turned off", fr: "Renouvellement automatique désactivé",
                pt: "Renovação automática desativada", zh: "已關閉自動續訂", de: "Automatische Verlängerung ausgeschaltet")
        case .renewed: Phrase("Renewed", fr: "Renouvelé", pt: "Renovado", zh: "已續訂", de: "Verlängert")
        case .recovered:
            Phrase(
                "Renewed after a failed charge", fr: "Renouvelé après un échec de paiement",
                pt: "Renovado após falha na cobrança", zh: "扣款失敗後已續訂", de: "Nach fehlgeschlagener Abbuchung verlängert")
        case .renewalFailed:
            Phrase(
                "Renewal failed", fr: "Échec du renouvellement", pt: "Falha na renovação", zh: "續訂失敗",
                de: "Verlängerung fehlgeschlagen")
        case .renewalFailedWithGrace:
            Phrase(
                "Renewal failed; grace period began", fr: "Échec du renouvellement ; délai de grâce commencé",
                pt: "Falha na renovação; período de carência iniciado", zh: "續訂失敗，寬限期開始",
                de: "Verlängerung fehlgeschlagen; Nachfrist beginnt")
        case .gracePeriodEnded:
            Phrase(
                "Grace period ended", fr: "Délai de grâce terminé", pt: "Período de carência encerrado", zh: "寬限期已結束",
                de: "Nachfrist beendet")
        case .attemptDeclined:
            Phrase(
                "Charge declined", fr: "Paiement refusé", pt: "Cobrança recusada", zh: "扣款遭拒", de: "Abbuchung abgelehnt"
            )
        case .expiredByChoice, .expiredAfterBillingRetry, .expiredForPriceIncrease, .expiredProductNotForSale, .expired:
            expiration(event)
        case .renewalExtended:
            Phrase(
                "Renewal date extended", fr: "Date de renouvellement prolongée", pt: "Data de renovação estendida",
                zh: "續訂日期已延長", de: "Verlängerungsdatum verschoben")
        case .renewalExtensionFailed:
            Phrase(
                "Renewal date not extended", fr: "Date de renouvellement non prolongée",
                pt: "Data de renovação não estendida", zh: "續訂日期未延長", de: "Verlängerungsdatum nicht verschoben")
        case .renewalExtensionCompleted:
            Phrase(
                "Renewal dates of all subscribers extended",
                fr: "Dates de renouvellement de tous les abonnés prolongées",
                pt: "Datas de renovação de todos os assinantes estendidas", zh: "所有訂閱者的續訂日期已延長",
                de: "Verlängerungsdaten aller Abonnenten verschoben")
        default: otherName(event)
        }
    }

    private static func expiration(_ event: DomainEvent.Kind) -> Phrase {
        switch event {
        case .expiredByChoice:
            Phrase(
                "Expired after cancellation", fr: "Expiré après résiliation", pt: "Expirada após cancelamento",
                zh: "取消後到期", de: "Nach Kündigung abgelaufen")
        case .expiredAfterBillingRetry:
            Phrase(
                "Expired after billing retry", fr: "Expiré après nouvelles tentatives de paiement",
                pt: "Expirada após novas tentativas de cobrança", zh: "重試扣款後到期",
                de: "Nach erneuten Abbuchungsversuchen abgelaufen")
        case .expiredForPriceIncrease:
            Phrase(
                "Expired without consent to the price increase",
                fr: "Expiré sans accord pour l’augmentation de prix",
                pt: "Expirada sem consentimento ao aumento de preço", zh: "未同意調漲價格而到期",
                de: "Ohne Zustimmung zur Preiserhöhung abgelaufen")
        case .expiredProductNotForSale:
            Phrase(
                "Expired because the product isn’t for sale", fr: "Expiré car le produit n’est plus en vente",
                pt: "Expirada porque o produto não está à venda", zh: "產品已停售而到期",
                de: "Abgelaufen, weil das Produkt nicht verkauft wird")
        default: Phrase("Expired", fr: "Expiré", pt: "Expirada", zh: "已到期", de: "Abgelaufen")
        }
    }

    private static func otherName(_ event: DomainEvent.Kind) -> Phrase {
        switch event {
        case .priceIncreasePending:
            Phrase(
                "Consent to a price increase requested", fr: "Accord pour une augmentation de prix demandé",
                pt: "Consentimento ao aumento de preço solicitado", zh: "已要求同意調漲價格",
                de: "Zustimmung zur Preiserhöhung angefragt")
        case .priceIncreaseAccepted:
            Phrase(
                "Price increase accepted", fr: "Augmentation de prix acceptée", pt: "Aumento de preço aceito",
                zh: "已同意調漲價格", de: "Preiserhöhung angenommen")
        case .priceIncreaseDeclined:
            Phrase(
                "Price increase declined", fr: "Augmentation de prix refusée", pt: "Aumento de preço recusado",
                zh: "已拒絕調漲價格", de: "Preiserhöhung abgelehnt")
        case .priceLowered:
            Phrase("Price lowered", fr: "Prix baissé", pt: "Preço reduzido", zh: "價格已調降", de: "Preis gesenkt")
        case .priceChanged:
            Phrase("Price changed", fr: "Prix modifié", pt: "Preço alterado", zh: "價格已變更", de: "Preis geändert")
        case .upgradeRefunded:
            Phrase(
                "Unused time refunded", fr: "Temps non utilisé remboursé", pt: "Tempo não usado reembolsado",
                zh: "未使用的時間已退款", de: "Ungenutzte Zeit erstattet")
        case .paymentMethodUpdated:
            Phrase(
                "Payment method updated", fr: "Moyen de paiement mis à jour", pt: "Forma de pagamento atualizada",
                zh: "已更新付款方式", de: "Zahlungsmethode aktualisiert")
        case .externalPurchaseUnreported:
            Phrase(
                "External purchase not reported", fr: "Achat externe non déclaré", pt: "Compra externa não informada",
                zh: "外部購買未回報", de: "Externer Kauf nicht gemeldet")
        case .consentRescinded:
            Phrase(
                "Consent rescinded", fr: "Consentement retiré", pt: "Consentimento retirado", zh: "已撤回同意",
                de: "Zustimmung widerrufen")
        case .metadataUpdated:
            Phrase(
                "Metadata updated", fr: "Métadonnées mises à jour", pt: "Metadados atualizados", zh: "已更新中繼資料",
                de: "Metadaten aktualisiert")
        case .migrated: Phrase("Migrated", fr: "Migré", pt: "Migrado", zh: "已轉移", de: "Migriert")
        case .tested:
            Phrase(
                "Test notification requested", fr: "Notification de test demandée",
                pt: "Notificação de teste solicitada",
                zh: "已要求測試通知", de: "Testmitteilung angefragt")
        // Named with the events of other products.
        case .subscriptionRefunded: refunded
        case .refundRequested: refundRequested
        case .subscriptionRefundDeclined: refundDeclined
        case .subscriptionRefundReversed: refundReversed
        case .familyAccessRevoked: sharingEnded
        default: purchased
        }
    }
}
