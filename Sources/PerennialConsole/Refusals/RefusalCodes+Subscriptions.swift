import Perennial
import PerennialStore

extension SubscriptionError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .otherGroup:
            Phrase(
                "The product belongs to another subscription group.",
                fr: "Le produit appartient à un autre groupe d’abonnements.",
                pt: "O produto pertence a outro grupo de assinaturas.", zh: "產品屬於其他訂閱項目群組。",
                de: "Das Produkt gehört zu einer anderen Abogruppe.")
        case .alreadySubscribed:
            Phrase(
                "The customer has this subscription already.", fr: "Le client a déjà cet abonnement.",
                pt: "O cliente já tem essa assinatura.", zh: "顧客已有此訂閱。", de: "Der Kunde hat dieses Abo schon.")
        case .offerNotAvailable:
            Phrase(
                "This offer isn’t available here.", fr: "Cette offre n’est pas disponible ici.",
                pt: "Esta oferta não está disponível aqui.", zh: "此處無法使用此優惠。", de: "Dieses Angebot gilt hier nicht.")
        case .wrongState:
            Phrase(
                "The subscription’s state doesn’t allow it.", fr: "L’état de l’abonnement ne le permet pas.",
                pt: "O estado da assinatura não permite isto.", zh: "訂閱的狀態不允許此操作。",
                de: "Der Status des Abos erlaubt das nicht.")
        case .workOverdue:
            Phrase(
                "Earlier renewals must be processed first.",
                fr: "Des renouvellements plus anciens doivent d’abord être traités.",
                pt: "Renovações anteriores precisam ser processadas primeiro.", zh: "須先處理較早的續訂。",
                de: "Erst müssen frühere Verlängerungen bearbeitet werden.")
        case .notDueYet:
            Phrase(
                "Nothing is due yet.", fr: "Rien n’est encore dû.", pt: "Nada vence ainda.", zh: "尚未到期。",
                de: "Noch ist nichts fällig.")
        case .periodAlreadyPaid:
            Phrase(
                "The period is paid already. Nothing is charged twice.",
                fr: "La période est déjà payée. Rien n’est débité deux fois.",
                pt: "O período já foi pago. Nada é cobrado duas vezes.", zh: "此期間已付款，不會重複扣款。",
                de: "Der Zeitraum ist schon bezahlt. Nichts wird doppelt abgebucht.")
        case .notRenewing:
            Phrase(
                "The subscription doesn’t renew.", fr: "L’abonnement ne se renouvelle pas.",
                pt: "A assinatura não renova.", zh: "此訂閱不會續訂。", de: "Das Abo verlängert sich nicht.")
        case .noPriceIncrease:
            Phrase(
                "No price increase awaits consent.", fr: "Aucune hausse de prix n’attend d’accord.",
                pt: "Nenhum aumento de preço aguarda consentimento.", zh: "沒有等待同意的漲價。",
                de: "Keine Preiserhöhung wartet auf Zustimmung.")
        case .notThisSubscription:
            Phrase(
                "The transaction belongs to another subscription.",
                fr: "La transaction appartient à un autre abonnement.", pt: "A transação pertence a outra assinatura.",
                zh: "交易屬於其他訂閱。", de: "Die Transaktion gehört zu einem anderen Abo.")
        case .invalidExtensionDays:
            Phrase(
                "An extension has 1 to 90 days.", fr: "Une prolongation a de 1 à 90 jours.",
                pt: "Uma extensão tem de 1 a 90 dias.", zh: "延長為 1 到 90 天。", de: "Ein Aufschub hat 1 bis 90 Tage.")
        case .extensionIneligible:
            Phrase(
                "This subscription can’t be extended now.", fr: "Cet abonnement ne peut pas être prolongé maintenant.",
                pt: "Esta assinatura não pode ser prolongada agora.", zh: "目前無法延長此訂閱。",
                de: "Dieses Abo kann jetzt nicht verlängert werden.")
        case .maximumExtensions:
            Phrase(
                "The subscription was extended twice within a year.",
                fr: "L’abonnement a été prolongé deux fois en un an.",
                pt: "A assinatura foi prolongada duas vezes em um ano.", zh: "此訂閱一年內已延長兩次。",
                de: "Das Abo wurde zweimal in einem Jahr verlängert.")
        case .familySharedExtensionIneligible:
            Phrase(
                "Extend the purchaser’s subscription instead.", fr: "Prolongez plutôt l’abonnement de l’acheteur.",
                pt: "Prolongue a assinatura do comprador.", zh: "請改為延長購買者的訂閱。",
                de: "Verlängern Sie stattdessen das Abo des Käufers.")
        case .familyShared:
            Phrase(
                "A family member can’t change the purchaser’s subscription.",
                fr: "Un membre de la famille ne peut pas modifier l’abonnement de l’acheteur.",
                pt: "Um familiar não pode mudar a assinatura do comprador.", zh: "家庭成員無法更改購買者的訂閱。",
                de: "Ein Familienmitglied kann das Abo des Käufers nicht ändern.")
        case .notFamilyShared:
            Phrase(
                "This subscription isn’t shared.", fr: "Cet abonnement n’est pas partagé.",
                pt: "Esta assinatura não é compartilhada.", zh: "此訂閱未共享。", de: "Dieses Abo wird nicht geteilt.")
        case .notShareable:
            Phrase(
                "This subscription can’t be shared.", fr: "Cet abonnement ne peut pas être partagé.",
                pt: "Esta assinatura não pode ser compartilhada.", zh: "此訂閱無法共享。",
                de: "Dieses Abo kann nicht geteilt werden.")
        }
    }
}

extension RefundError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .alreadyRefunded:
            Phrase(
                "This was refunded or revoked before.", fr: "C’est déjà remboursé ou révoqué.",
                pt: "Isto já foi reembolsado ou revogado.", zh: "已退款或撤銷。",
                de: "Das wurde schon erstattet oder widerrufen.")
        case .alreadyRequested:
            Phrase(
                "A refund request awaits its answer.", fr: "Une demande de remboursement attend sa réponse.",
                pt: "Um pedido de reembolso aguarda resposta.", zh: "退款要求等待回覆中。",
                de: "Ein Erstattungsantrag wartet auf Antwort.")
        case .notRefunded:
            Phrase(
                "This wasn’t refunded.", fr: "Ce n’est pas remboursé.", pt: "Isto não foi reembolsado.", zh: "尚未退款。",
                de: "Das wurde nicht erstattet.")
        case .notRequested:
            Phrase(
                "There is no open refund request.", fr: "Il n’y a pas de demande de remboursement ouverte.",
                pt: "Não há pedido de reembolso aberto.", zh: "沒有待處理的退款要求。",
                de: "Es gibt keinen offenen Erstattungsantrag.")
        case .invalidPercentage:
            Phrase(
                "A percentage is greater than 0, and 100 at most.",
                fr: "Un pourcentage est supérieur à 0, et de 100 au plus.",
                pt: "Uma porcentagem é maior que 0 e de no máximo 100.", zh: "百分比須大於 0，最多 100。",
                de: "Ein Prozentsatz ist größer als 0 und höchstens 100.")
        case .nothingUnused:
            Phrase(
                "Only a running period can be refunded in part.",
                fr: "Seule une période en cours peut être remboursée en partie.",
                pt: "Só um período em curso pode ser reembolsado em parte.", zh: "只有進行中的期間可部分退款。",
                de: "Nur ein laufender Zeitraum kann anteilig erstattet werden.")
        case .familyShared:
            Phrase(
                "Refund the purchaser’s transaction instead.", fr: "Remboursez plutôt la transaction de l’acheteur.",
                pt: "Reembolse a transação do comprador.", zh: "請改為退款購買者的交易。",
                de: "Erstatten Sie stattdessen die Transaktion des Käufers.")
        case .periodNotSaid:
            Phrase(
                "Choose the period: this number names the subscription and its first period.",
                fr: "Choisissez la période\u{202F}: ce numéro désigne l’abonnement et sa première période.",
                pt: "Escolha o período: este número é o da assinatura e do primeiro período.",
                zh: "請選擇期間：此編號代表訂閱及其第一期。",
                de: "Wählen Sie den Zeitraum: Diese Nummer ist die des Abos und seines ersten Zeitraums.")
        }
    }
}

extension FamilyError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .full:
            Phrase(
                "The family is full.", fr: "La famille est au complet.", pt: "A família está completa.", zh: "家庭人數已滿。",
                de: "Die Familie ist voll.")
        case .alreadyMember:
            Phrase(
                "The account belongs to a family already.", fr: "Le compte fait déjà partie d’une famille.",
                pt: "A conta já pertence a uma família.", zh: "帳號已屬於某個家庭。",
                de: "Das Konto gehört schon zu einer Familie.")
        case .notMember:
            Phrase(
                "The account isn’t a member.", fr: "Le compte n’est pas membre.", pt: "A conta não é membro.",
                zh: "該帳號不是成員。", de: "Das Konto ist kein Mitglied.")
        }
    }
}

extension ExtensionError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .invalidDays:
            Phrase(
                "An extension has 1 to 90 days.", fr: "Une prolongation a de 1 à 90 jours.",
                pt: "Uma extensão tem de 1 a 90 dias.", zh: "延長為 1 到 90 天。", de: "Ein Aufschub hat 1 bis 90 Tage.")
        case .invalidReason:
            Phrase(
                "This reason isn’t allowed.", fr: "Cette raison n’est pas permise.", pt: "Este motivo não é permitido.",
                zh: "不允許此原因。", de: "Dieser Grund ist nicht erlaubt.")
        case .invalidRequestIdentifier:
            Phrase(
                "This identifier isn’t allowed.", fr: "Cet identifiant n’est pas permis.",
                pt: "Este identificador não é permitido.", zh: "不允許此識別碼。", de: "Diese Kennung ist nicht erlaubt.")
        case .invalidProduct:
            Phrase(
                "The app has no such auto-renewable subscription.",
                fr: "L’app n’a pas cet abonnement à renouvellement automatique.",
                pt: "O app não tem essa assinatura com renovação automática.", zh: "此 App 沒有該自動續訂型訂閱項目。",
                de: "Die App hat dieses automatisch verlängerte Abonnement nicht.")
        case .invalidStorefront:
            Phrase(
                "There is no such storefront.", fr: "Cette boutique n’existe pas.", pt: "Essa loja não existe.",
                zh: "沒有此店面。", de: "Diesen Store gibt es nicht.")
        case .ineligible:
            Phrase(
                "This subscription can’t be extended now.", fr: "Cet abonnement ne peut pas être prolongé maintenant.",
                pt: "Esta assinatura não pode ser prolongada agora.", zh: "目前無法延長此訂閱。",
                de: "Dieses Abo kann jetzt nicht verlängert werden.")
        case .maximumReached:
            Phrase(
                "The subscription was extended twice within a year.",
                fr: "L’abonnement a été prolongé deux fois en un an.",
                pt: "A assinatura foi prolongada duas vezes em um ano.", zh: "此訂閱一年內已延長兩次。",
                de: "Das Abo wurde zweimal in einem Jahr verlängert.")
        case .familyShared:
            Phrase(
                "Extend the purchaser’s subscription instead.", fr: "Prolongez plutôt l’abonnement de l’acheteur.",
                pt: "Prolongue a assinatura do comprador.", zh: "請改為延長購買者的訂閱。",
                de: "Verlängern Sie stattdessen das Abo des Käufers.")
        case .subscriptionNotFound:
            Phrase(
                "There is no such subscription.", fr: "Cet abonnement n’existe pas.", pt: "Essa assinatura não existe.",
                zh: "沒有此訂閱。", de: "Dieses Abo gibt es nicht.")
        case .requestNotFound:
            Phrase(
                "There is no such request.", fr: "Cette demande n’existe pas.", pt: "Esse pedido não existe.",
                zh: "沒有此要求。", de: "Diesen Antrag gibt es nicht.")
        }
    }
}

extension PurchaseRefusal.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .quantityOutOfRange:
            Phrase(
                "This quantity can’t be bought.", fr: "Cette quantité ne peut pas être achetée.",
                pt: "Esta quantidade não pode ser comprada.", zh: "無法購買此數量。",
                de: "Diese Menge kann nicht gekauft werden.")
        case .paymentsNotAllowed:
            Phrase(
                "This account may not make payments.", fr: "Ce compte n’est pas autorisé à payer.",
                pt: "Esta conta não tem permissão para pagar.", zh: "此帳號無權付款。",
                de: "Dieses Konto hat keine Erlaubnis zu bezahlen.")
        case .paymentDeclined:
            Phrase(
                "The payment was declined. Nothing was charged.", fr: "Le paiement a été refusé. Rien n’a été débité.",
                pt: "O pagamento foi recusado. Nada foi cobrado.", zh: "付款遭拒，未扣款。",
                de: "Die Zahlung wurde abgelehnt. Nichts wurde abgebucht.")
        case .purchaseInterrupted:
            Phrase(
                "The customer must act first. The purchase then arrives by itself.",
                fr: "Le client doit d’abord agir. L’achat arrive ensuite de lui-même.",
                pt: "O cliente precisa agir primeiro. A compra chega sozinha depois.", zh: "顧客須先處理，購買項目隨後會自動送達。",
                de: "Der Kunde muss erst handeln. Der Kauf kommt dann von selbst an.")
        case .productNotAvailable:
            Phrase(
                "The product isn’t for sale here.", fr: "Le produit n’est pas en vente ici.",
                pt: "O produto não está à venda aqui.", zh: "產品未在此販售。", de: "Das Produkt wird hier nicht verkauft.")
        case .termStillRunning:
            Phrase(
                "The term bought before is still running.", fr: "La durée déjà achetée n’est pas terminée.",
                pt: "O período já comprado ainda não terminou.", zh: "先前購買的期間尚未結束。",
                de: "Die gekaufte Laufzeit ist noch nicht zu Ende.")
        case .alreadySubscribed:
            Phrase(
                "The customer has this subscription already.", fr: "Le client a déjà cet abonnement.",
                pt: "O cliente já tem essa assinatura.", zh: "顧客已有此訂閱。", de: "Der Kunde hat dieses Abo schon.")
        case .newsstandOnly:
            Phrase(
                "Free subscriptions exist in Newsstand apps only.",
                fr: "Les abonnements gratuits sont réservés aux apps de Kiosque.",
                pt: "Assinaturas gratuitas existem só em apps da Banca.", zh: "只有書報攤 App 有免費訂閱項目。",
                de: "Kostenlose Abonnements gibt es nur in Zeitungskiosk-Apps.")
        case .offerNotAvailable:
            Phrase(
                "The customer isn’t eligible for the offer.", fr: "Le client n’a pas droit à l’offre.",
                pt: "O cliente não tem direito à oferta.", zh: "顧客不符合優惠資格。",
                de: "Der Kunde hat keinen Anspruch auf das Angebot.")
        case .offerNotFound:
            Phrase(
                "The product has no such offer.", fr: "Le produit n’a pas cette offre.",
                pt: "O produto não tem essa oferta.", zh: "產品沒有此優惠。", de: "Das Produkt hat dieses Angebot nicht.")
        case .offerSignatureInvalid:
            Phrase(
                "The offer’s signature isn’t valid.", fr: "La signature de l’offre n’est pas valide.",
                pt: "A assinatura digital da oferta não é válida.", zh: "優惠的簽章無效。",
                de: "Die Signatur des Angebots ist ungültig.")
        case .offerPriceInvalid:
            Phrase(
                "The offer costs more than the regular price.", fr: "L’offre coûte plus que le prix normal.",
                pt: "A oferta custa mais que o preço normal.", zh: "優惠價格高於一般價格。",
                de: "Das Angebot kostet mehr als der reguläre Preis.")
        case .codeNotRedeemable:
            Phrase(
                "The code can’t be redeemed.", fr: "Le code ne peut pas être utilisé.",
                pt: "O código não pode ser resgatado.", zh: "無法兌換代碼。", de: "Der Code kann nicht eingelöst werden.")
        case .idempotencyKeyReused:
            Phrase(
                "The key was used for another purchase.", fr: "La clé a déjà servi à un autre achat.",
                pt: "A chave já foi usada em outra compra.", zh: "金鑰已用於其他購買。",
                de: "Der Schlüssel wurde schon für einen anderen Kauf benutzt.")
        }
    }
}
