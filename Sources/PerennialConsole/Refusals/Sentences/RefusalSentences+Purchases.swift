/// Refusals about purchases, subscriptions, refunds and extensions.
extension RefusalSentences {
    static let purchases: [Phrase] = [
        Phrase(
            "the customer owns the product; the code stays good",
            fr: "Le client possède déjà le produit\u{202F}; le code reste valable.",
            pt: "O cliente já tem o produto; o código continua válido.", zh: "顧客已擁有此產品，代碼仍有效。",
            de: "Der Kunde besitzt das Produkt schon; der Code bleibt gültig."),
        Phrase(
            "an auto-renewable subscription isn't granted: extend a running one without charge instead",
            fr:
                "Un abonnement à renouvellement automatique ne s’offre pas\u{202F}: prolongez plutôt gratuitement celui qui est en cours.",
            pt:
                "Uma assinatura com renovação automática não é concedida: em vez disso, estenda grátis a que está ativa.",
            zh: "自動續訂訂閱項目無法贈送，請改為免費延長進行中的訂閱。",
            de:
                "Ein automatisch verlängerbares Abo wird nicht geschenkt: Verlängern Sie stattdessen das laufende kostenlos."
        ),
        Phrase(
            "a grant costs nothing and takes no offer", fr: "Un produit offert ne coûte rien et n’accepte pas d’offre.",
            pt: "Uma concessão não custa nada e não aceita oferta.", zh: "贈送不收費，也不能搭配優惠。",
            de: "Ein Geschenk kostet nichts und nimmt kein Angebot an."),
        Phrase(
            "an offer is for one of the product", fr: "Une offre vaut pour un seul exemplaire.",
            pt: "Uma oferta vale para uma unidade.", zh: "優惠僅適用一個產品。", de: "Ein Angebot gilt für ein Stück."),
        Phrase(
            "a quantity is 1 to 10", fr: "La quantité est de 1 à 10.", pt: "A quantidade é de 1 a 10.",
            zh: "數量須為 1 到 10。", de: "Die Menge ist 1 bis 10."),
        Phrase(
            "a product of this type is bought one at a time", fr: "Un produit de ce type s’achète à l’unité.",
            pt: "Um produto desse tipo é comprado um por vez.", zh: "此類產品一次只能購買一個。",
            de: "Ein Produkt dieser Art wird einzeln gekauft."),
        Phrase(
            "the product has no price: give it one in the catalog, or with perennial prices set",
            fr: "Le produit n’a pas de prix\u{202F}: fixez-en un.", pt: "O produto não tem preço: defina um.",
            zh: "產品沒有價格，請先設定。", de: "Das Produkt hat keinen Preis: Setzen Sie einen."),
        Phrase(
            "the product is not for sale in this store", fr: "Le produit n’est pas en vente dans cette boutique.",
            pt: "O produto não está à venda nesta loja.", zh: "此產品未在此店面販售。",
            de: "Das Produkt wird in diesem Store nicht verkauft."),
        Phrase(
            "free subscriptions are sold in Newsstand apps only",
            fr: "Les abonnements gratuits n’existent que dans les apps de Kiosque.",
            pt: "Assinaturas gratuitas só existem em apps da Banca.", zh: "免費訂閱項目僅限書報攤 App。",
            de: "Kostenlose Abos gibt es nur in Zeitungskiosk-Apps."),
        Phrase(
            "this account may not make payments", fr: "Ce compte ne peut pas faire de paiements.",
            pt: "Esta conta não pode fazer pagamentos.", zh: "此帳號無法付款。", de: "Dieses Konto darf nicht bezahlen."),
        Phrase(
            "the term bought before runs until %1; buy again after that",
            fr: "La durée déjà achetée court jusqu’au %1\u{202F}; rachetez ensuite.",
            pt: "O período já comprado vai até %1; compre de novo depois.", zh: "先前購買的期間到 %1，之後可再購買。",
            de: "Die gekaufte Laufzeit geht bis %1; kaufen Sie danach erneut."),
        Phrase(
            "the payment method was declined; nothing was charged",
            fr: "Le moyen de paiement a été refusé\u{202F}; rien n’a été débité.",
            pt: "A forma de pagamento foi recusada; nada foi cobrado.", zh: "付款方式遭拒，未扣款。",
            de: "Die Zahlungsmethode wurde abgelehnt; nichts wurde abgebucht."),
        Phrase(
            "the subscription has no price in this store", fr: "L’abonnement n’a pas de prix dans cette boutique.",
            pt: "A assinatura não tem preço nesta loja.", zh: "訂閱項目在此店面沒有價格。",
            de: "Das Abo hat in diesem Store keinen Preis."),
        Phrase(
            "the running period is not known", fr: "La période en cours est inconnue.",
            pt: "O período atual é desconhecido.", zh: "目前期間不明。", de: "Der laufende Zeitraum ist nicht bekannt."),
        Phrase(
            "the app is not for sale in this store", fr: "L’app n’est pas en vente dans cette boutique.",
            pt: "O app não está à venda nesta loja.", zh: "此 App 未在此店面販售。",
            de: "Die App wird in diesem Store nicht verkauft."),
        Phrase(
            "this app has no product with that ID", fr: "Cette app n’a pas de produit avec cet identifiant.",
            pt: "Este app não tem produto com esse ID.", zh: "此 App 沒有該 ID 的產品。",
            de: "Diese App hat kein Produkt mit dieser ID."),
        Phrase(
            "this app sells no product with that ID", fr: "Cette app ne vend pas de produit avec cet identifiant.",
            pt: "Este app não vende produto com esse ID.", zh: "此 App 未販售該 ID 的產品。",
            de: "Diese App verkauft kein Produkt mit dieser ID."),
        Phrase(
            "no subscription of that ID is for sale", fr: "Aucun abonnement avec cet identifiant n’est en vente.",
            pt: "Nenhuma assinatura com esse ID está à venda.", zh: "沒有該 ID 的訂閱項目販售中。",
            de: "Kein Abo mit dieser ID wird verkauft."),
        Phrase(
            "the key was used for another purchase; a new purchase needs a new key",
            fr: "La clé a servi à un autre achat\u{202F}; il en faut une nouvelle.",
            pt: "A chave foi usada em outra compra; é preciso uma nova.", zh: "金鑰已用於其他購買，請使用新的金鑰。",
            de: "Der Schlüssel wurde für einen anderen Kauf benutzt; ein neuer Kauf braucht einen neuen."),
        Phrase(
            "the customer must act first; the purchase arrives by itself then",
            fr: "Le client doit d’abord agir\u{202F}; l’achat arrive ensuite de lui-même.",
            pt: "O cliente precisa agir primeiro; a compra chega sozinha depois.", zh: "顧客須先處理，購買項目隨後會自動送達。",
            de: "Der Kunde muss erst handeln; der Kauf kommt dann von selbst an."),
        Phrase(
            "a product that doesn't renew has offers for codes only",
            fr: "Un produit sans renouvellement n’a que des offres à code.",
            pt: "Um produto que não renova só tem ofertas com código.", zh: "非續訂產品只有代碼優惠。",
            de: "Ein Produkt ohne Verlängerung hat nur Angebote für Codes."),
        Phrase(
            "the nonce was used before: sign the offer anew",
            fr: "Le nonce a déjà servi\u{202F}: signez l’offre à nouveau.",
            pt: "O nonce já foi usado: assine a oferta de novo.", zh: "nonce 已使用過，請重新簽署優惠。",
            de: "Die Nonce wurde schon benutzt: Signieren Sie das Angebot neu."),
        Phrase(
            "this app has no such code", fr: "Cette app n’a pas ce code.", pt: "Este app não tem esse código.",
            zh: "此 App 沒有該代碼。", de: "Diese App hat diesen Code nicht."),
        Phrase(
            "no purchase waits under that number", fr: "Aucun achat n’attend sous ce numéro.",
            pt: "Nenhuma compra aguarda com esse número.", zh: "沒有等待中的該編號購買。",
            de: "Unter dieser Nummer wartet kein Kauf."),
        Phrase(
            "no purchase waits under that number any more", fr: "Aucun achat n’attend plus sous ce numéro.",
            pt: "Nenhuma compra aguarda mais com esse número.", zh: "該編號的購買已不再等待。",
            de: "Unter dieser Nummer wartet kein Kauf mehr."),
        Phrase(
            "this customer asked for nothing under that key", fr: "Ce client n’a rien demandé sous cette clé.",
            pt: "Este cliente não pediu nada com essa chave.", zh: "此顧客未以該金鑰提出要求。",
            de: "Dieser Kunde hat unter diesem Schlüssel nichts angefragt."),
        Phrase(
            "a key has 1 to %1 bytes", fr: "Une clé a de 1 à %1 octets.", pt: "Uma chave tem de 1 a %1 bytes.",
            zh: "金鑰須為 1 到 %1 位元組。", de: "Ein Schlüssel hat 1 bis %1 Byte."),
        Phrase(
            "at most %1 bytes", fr: "%1 octets au plus.", pt: "No máximo %1 bytes.", zh: "最多 %1 位元組。",
            de: "Höchstens %1 Byte."),
        Phrase(
            "an offer's parts have at most %1 bytes", fr: "Les parties d’une offre ont %1 octets au plus.",
            pt: "As partes de uma oferta têm no máximo %1 bytes.", zh: "優惠的各部分最多 %1 位元組。",
            de: "Die Teile eines Angebots haben höchstens %1 Byte."),
        Phrase(
            "there is no subscription with that number", fr: "Aucun abonnement n’a ce numéro.",
            pt: "Não há assinatura com esse número.", zh: "沒有該編號的訂閱。", de: "Es gibt kein Abo mit dieser Nummer."),
        Phrase(
            "there is no subscription with that original transaction",
            fr: "Aucun abonnement n’a cette transaction d’origine.",
            pt: "Não há assinatura com essa transação original.", zh: "沒有該原始交易的訂閱。",
            de: "Es gibt kein Abo mit dieser ursprünglichen Transaktion."),
        Phrase(
            "the app has no subscription with that original transaction",
            fr: "L’app n’a pas d’abonnement avec cette transaction d’origine.",
            pt: "O app não tem assinatura com essa transação original.", zh: "此 App 沒有該原始交易的訂閱。",
            de: "Die App hat kein Abo mit dieser ursprünglichen Transaktion."),
        Phrase(
            "this customer has no subscription of that number", fr: "Ce client n’a pas d’abonnement avec ce numéro.",
            pt: "Este cliente não tem assinatura com esse número.", zh: "此顧客沒有該編號的訂閱。",
            de: "Dieser Kunde hat kein Abo mit dieser Nummer."),
        Phrase(
            "nothing is left to renew: buy it again", fr: "Il n’y a plus rien à renouveler\u{202F}: rachetez-le.",
            pt: "Não há mais o que renovar: compre de novo.", zh: "已無可續訂的期間，請重新購買。",
            de: "Es gibt nichts mehr zu verlängern: Kaufen Sie es erneut."),
        Phrase(
            "only a family member's copy follows another subscription",
            fr: "Seul l’abonnement d’un membre de la famille en suit un autre.",
            pt: "Só a assinatura de um familiar segue outra.", zh: "只有家庭成員的訂閱會跟隨其他訂閱。",
            de: "Nur das Abo eines Familienmitglieds folgt einem anderen."),
        Phrase(
            "only an active subscription of a shareable product is shared",
            fr: "Seul un abonnement actif à un produit partageable est partagé.",
            pt: "Só uma assinatura ativa de um produto compartilhável é compartilhada.", zh: "只有可共享產品的有效訂閱會共享。",
            de: "Nur ein aktives Abo eines teilbaren Produkts wird geteilt."),
        Phrase(
            "an extension is 1 to 90 days", fr: "Une prolongation est de 1 à 90 jours.",
            pt: "Uma extensão é de 1 a 90 dias.", zh: "延長須為 1 到 90 天。", de: "Eine Verlängerung beträgt 1 bis 90 Tage."),
        Phrase(
            "extend the purchaser's subscription", fr: "Prolongez l’abonnement de l’acheteur.",
            pt: "Prolongue a assinatura do comprador.", zh: "請延長購買者的訂閱。", de: "Verlängern Sie das Abo des Käufers."),
        Phrase(
            "the subscription isn't active", fr: "L’abonnement n’est pas actif.", pt: "A assinatura não está ativa.",
            zh: "訂閱並非有效狀態。", de: "Das Abo ist nicht aktiv."),
        Phrase(
            "nothing is paid for: the subscription is in a free offer",
            fr: "Rien n’est payé\u{202F}: l’abonnement est dans une offre gratuite.",
            pt: "Nada foi pago: a assinatura está em uma oferta grátis.", zh: "訂閱處於免費優惠期，尚未付費。",
            de: "Nichts ist bezahlt: Das Abo ist in einem kostenlosen Angebot."),
        Phrase(
            "it was extended twice within a year", fr: "Il a déjà été prolongé deux fois en un an.",
            pt: "Já foi prolongada duas vezes em um ano.", zh: "一年內已延長兩次。",
            de: "Es wurde schon zweimal in einem Jahr verlängert."),
        Phrase(
            "no extension was requested under that identifier",
            fr: "Aucune prolongation n’a été demandée sous cet identifiant.",
            pt: "Nenhuma extensão foi pedida com esse identificador.", zh: "沒有以該識別碼提出的延長要求。",
            de: "Unter dieser Kennung wurde keine Verlängerung angefragt."),
        Phrase(
            "the app has no auto-renewable subscription of that ID",
            fr: "L’app n’a pas d’abonnement à renouvellement automatique avec cet identifiant.",
            pt: "O app não tem assinatura com renovação automática com esse ID.", zh: "此 App 沒有該 ID 的自動續訂型訂閱項目。",
            de: "Die App hat kein automatisch verlängertes Abonnement mit dieser ID."),
        Phrase(
            "a reason is 0, 1, 2 or 3", fr: "La raison est 0, 1, 2 ou 3.", pt: "O motivo é 0, 1, 2 ou 3.",
            zh: "原因須為 0、1、2 或 3。", de: "Ein Grund ist 0, 1, 2 oder 3."),
        Phrase(
            "an identifier has 1 to 128 bytes, such as a UUID",
            fr: "Un identifiant a de 1 à 128 octets, comme un UUID.",
            pt: "Um identificador tem de 1 a 128 bytes, como um UUID.", zh: "識別碼須為 1 到 128 位元組，例如 UUID。",
            de: "Eine Kennung hat 1 bis 128 Byte, etwa eine UUID."),
        Phrase(
            "the period ended: renew or expire it first",
            fr: "La période est terminée\u{202F}: renouvelez-la ou laissez-la expirer d’abord.",
            pt: "O período terminou: renove ou expire primeiro.", zh: "期間已結束，請先處理續訂或到期。",
            de: "Der Zeitraum ist zu Ende: Verlängern Sie ihn oder lassen Sie ihn erst ablaufen."),
        Phrase(
            "no offer is available while a renewal is being retried",
            fr: "Aucune offre n’est possible pendant une nouvelle tentative de paiement.",
            pt: "Nenhuma oferta está disponível enquanto a renovação é tentada de novo.", zh: "續訂重試扣款期間無法使用優惠。",
            de: "Während einer erneuten Abbuchung gibt es keine Angebote."),
        Phrase(
            "the subscription has ended: buy it again", fr: "L’abonnement est terminé\u{202F}: rachetez-le.",
            pt: "A assinatura terminou: compre de novo.", zh: "訂閱已結束，請重新購買。",
            de: "Das Abo ist beendet: Kaufen Sie es erneut."),
        Phrase(
            "%1 is what renews", fr: "%1 est déjà ce qui se renouvelle.", pt: "%1 já é o que renova.",
            zh: "續訂的項目已是 %1。", de: "%1 verlängert sich schon."),
        Phrase(
            "%1 belongs to the group %2", fr: "%1 appartient au groupe %2.", pt: "%1 pertence ao grupo %2.",
            zh: "%1 屬於群組 %2。", de: "%1 gehört zur Gruppe %2."),
        Phrase(
            "this is shared by a family member; buying makes a subscription of its own",
            fr: "C’est partagé par un membre de la famille\u{202F}; l’acheter crée un abonnement à part.",
            pt: "É compartilhada por um familiar; comprar cria uma assinatura própria.", zh: "此項目由家庭成員共享，購買會建立自己的訂閱。",
            de: "Das teilt ein Familienmitglied; ein Kauf macht ein eigenes Abo."),
        Phrase(
            "the subscription is active; it renews by itself",
            fr: "L’abonnement est actif\u{202F}; il se renouvelle de lui-même.",
            pt: "A assinatura está ativa; renova sozinha.", zh: "訂閱有效，會自動續訂。",
            de: "Das Abo ist aktiv; es verlängert sich von selbst."),
        Phrase(
            "an offer is running or redeemed already", fr: "Une offre est en cours ou déjà utilisée.",
            pt: "Uma oferta está em curso ou já foi resgatada.", zh: "優惠進行中或已兌換。",
            de: "Ein Angebot läuft oder ist schon eingelöst."),
        Phrase(
            "%1 is chosen for the next renewal already", fr: "%1 est déjà choisi pour le prochain renouvellement.",
            pt: "%1 já foi escolhido para a próxima renovação.", zh: "已選擇 %1 於下次續訂。",
            de: "%1 ist für die nächste Verlängerung schon gewählt."),
        Phrase(
            "a refund was requested, and not answered yet", fr: "Un remboursement est demandé et attend une réponse.",
            pt: "Um reembolso foi pedido e aguarda resposta.", zh: "已提出退款要求，尚未回覆。",
            de: "Eine Erstattung ist beantragt und noch nicht beantwortet."),
        Phrase(
            "no refund was requested: request it first",
            fr: "Aucun remboursement n’est demandé\u{202F}: demandez-le d’abord.",
            pt: "Nenhum reembolso foi pedido: peça primeiro.", zh: "尚未提出退款要求，請先提出。",
            de: "Keine Erstattung ist beantragt: Beantragen Sie sie zuerst."),
        Phrase(
            "the subscription was refunded before", fr: "L’abonnement est déjà remboursé.",
            pt: "A assinatura já foi reembolsada.", zh: "訂閱已退款。", de: "Das Abo wurde schon erstattet."),
        Phrase(
            "the subscription wasn't refunded", fr: "L’abonnement n’est pas remboursé.",
            pt: "A assinatura não foi reembolsada.", zh: "訂閱尚未退款。", de: "Das Abo wurde nicht erstattet."),
        Phrase(
            "the transaction wasn't refunded", fr: "La transaction n’est pas remboursée.",
            pt: "A transação não foi reembolsada.", zh: "交易尚未退款。", de: "Die Transaktion wurde nicht erstattet."),
        Phrase(
            "the transaction was refunded or revoked before", fr: "La transaction est déjà remboursée ou révoquée.",
            pt: "A transação já foi reembolsada ou revogada.", zh: "交易已退款或撤銷。",
            de: "Die Transaktion wurde schon erstattet oder widerrufen."),
        Phrase(
            "refund the purchaser's transaction", fr: "Remboursez la transaction de l’acheteur.",
            pt: "Reembolse a transação do comprador.", zh: "請退款購買者的交易。",
            de: "Erstatten Sie die Transaktion des Käufers."),
        Phrase(
            "an upgrade gave back its unused time: say how much",
            fr: "Une mise à niveau a déjà rendu le temps non utilisé\u{202F}: indiquez combien.",
            pt: "Um upgrade já devolveu o tempo não usado: informe quanto.", zh: "升級時已退還未使用的時間，請指定金額。",
            de: "Ein Upgrade hat die ungenutzte Zeit schon erstattet: Geben Sie an, wie viel."),
        Phrase(
            "a percentage is 1 to 100000 thousandths of a percent", fr: "Un pourcentage va de 0,001 à 100.",
            pt: "Uma porcentagem vai de 0,001 a 100.", zh: "百分比須為 0.001 到 100。",
            de: "Ein Prozentsatz geht von 0,001 bis 100."),
        Phrase(
            "no period is running that could be refunded in part",
            fr: "Aucune période en cours ne peut être remboursée en partie.",
            pt: "Nenhum período em curso pode ser reembolsado em parte.", zh: "沒有可部分退款的進行中期間。",
            de: "Es läuft kein Zeitraum, der anteilig erstattet werden könnte."),
        Phrase(
            "this is the subscription's number and its first period's, and there are others: say whether the first period is meant, or the newest (%1, from %2), or name another one's transaction",
            fr:
                "Ce numéro désigne l’abonnement et sa première période, et il y en a d’autres\u{202F}: choisissez la première, la dernière (%1, du %2), ou la transaction d’une autre.",
            pt:
                "Este número é o da assinatura e do primeiro período, e há outros: escolha o primeiro, o mais novo (%1, de %2) ou a transação de outro.",
            zh: "此編號代表訂閱及其第一期，另有其他期間：請選擇第一期、最新一期（%1，自 %2），或其他期間的交易。",
            de:
                "Diese Nummer ist die des Abos und seines ersten Zeitraums, und es gibt weitere: Wählen Sie den ersten, den neuesten (%1, ab %2) oder die Transaktion eines anderen."
        ),
    ]
}
