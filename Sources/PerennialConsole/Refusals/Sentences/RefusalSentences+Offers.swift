/// Refusals about offers and offer codes.
extension RefusalSentences {
    static let offers: [Phrase] = [
        Phrase(
            "The app has no batch with the code '%1' in this environment.",
            fr: "L’app n’a pas de lot avec le code «\u{202F}%1\u{202F}» dans cet environnement.",
            pt: "O app não tem um lote com o código “%1” neste ambiente.", zh: "此 App 在此環境中沒有包含代碼「%1」的批次。",
            de: "Die App hat in dieser Umgebung keine Charge mit dem Code „%1“."),
        Phrase(
            "%1 is no territory of the App Store", fr: "%1 n’est pas une boutique de l’App Store.",
            pt: "%1 não é uma loja da App Store.", zh: "%1 不是 App Store 的店面。", de: "%1 ist kein Store des App Store."),
        Phrase(
            "The start date is today, %1, or later", fr: "La date de début est aujourd’hui, le %1, ou plus tard.",
            pt: "A data de início é hoje, %1, ou depois.", zh: "開始日期須為今天（%1）或之後。",
            de: "Das Startdatum ist heute, %1, oder später."),
        Phrase(
            "The end date is after %1", fr: "La date de fin est après le %1.", pt: "A data de término é depois de %1.",
            zh: "結束日期須晚於 %1。", de: "Das Enddatum liegt nach dem %1."),
        Phrase(
            "The product has no such introductory offer.", fr: "Le produit n’a pas cette offre de lancement.",
            pt: "O produto não tem esta oferta introdutória.", zh: "產品沒有這項推介優惠。",
            de: "Das Produkt hat dieses Einführungsangebot nicht."),
        Phrase(
            "A free trial has no price", fr: "Un essai gratuit n’a pas de prix.",
            pt: "Um teste gratuito não tem preço.", zh: "免費試用沒有價格。", de: "Eine kostenlose Probe hat keinen Preis."),
        Phrase(
            "Another introductory offer is available in %1 from %2",
            fr: "Une autre offre de lancement est disponible dans %1 à partir du %2.",
            pt: "Outra oferta introdutória está disponível em %1 a partir de %2.", zh: "%1 自 %2 起已有其他推介優惠。",
            de: "Ein anderes Einführungsangebot gilt in %1 ab %2."),
        Phrase(
            "A subscription has %1 promotional offers at most: delete another one",
            fr: "Un abonnement a %1 offres promotionnelles au plus\u{202F}: supprimez-en une autre.",
            pt: "Uma assinatura tem no máximo %1 ofertas promocionais: exclua outra.", zh: "訂閱項目最多有 %1 個促銷優惠，請先刪除其他優惠。",
            de: "Ein Abo hat höchstens %1 Promotion-Angebote: Löschen Sie ein anderes."),
        Phrase(
            "Only auto-renewable subscriptions have such offers",
            fr: "Seuls les abonnements à renouvellement automatique ont de telles offres.",
            pt: "Só assinaturas com renovação automática têm essas ofertas.", zh: "只有自動續訂型訂閱項目有這類優惠。",
            de: "Nur automatisch verlängerte Abonnements haben solche Angebote."),
        Phrase(
            "The name has 1 to %1 characters", fr: "Le nom a de 1 à %1 caractères.",
            pt: "O nome tem de 1 a %1 caracteres.", zh: "名稱須為 1 到 %1 個字元。", de: "Der Name hat 1 bis %1 Zeichen."),
        Phrase(
            "The offer's ID has %1", fr: "L’identifiant de l’offre se compose de %1.", pt: "O ID da oferta tem %1.",
            zh: "優惠 ID 須為%1。", de: "Die Angebots-ID besteht aus: %1."),
        Phrase(
            "The offer ID '%1' has already been used.",
            fr: "L’identifiant d’offre «\u{202F}%1\u{202F}» est déjà utilisé.", pt: "O ID de oferta “%1” já foi usado.",
            zh: "優惠 ID「%1」已被使用。", de: "Die Angebots-ID „%1“ wurde schon verwendet."),
        Phrase(
            "The offer name '%1' has already been used.", fr: "Le nom d’offre «\u{202F}%1\u{202F}» est déjà utilisé.",
            pt: "O nome de oferta “%1” já foi usado.", zh: "優惠名稱「%1」已被使用。",
            de: "Der Angebotsname „%1“ wurde schon verwendet."),
        Phrase(
            "The product has no such offer: %1", fr: "Le produit n’a pas l’offre «\u{202F}%1\u{202F}».",
            pt: "O produto não tem a oferta “%1”.", zh: "產品沒有優惠「%1」。", de: "Das Produkt hat kein Angebot „%1“."),
        Phrase(
            "A free trial lasts one of %1", fr: "Un essai gratuit dure l’une de ces périodes\u{202F}: %1.",
            pt: "Um teste gratuito dura um destes períodos: %1.", zh: "免費試用的期間可為：%1。",
            de: "Eine kostenlose Probe dauert eines von: %1."),
        Phrase(
            "An offer paid up front lasts one of %1",
            fr: "Une offre payée à l’avance dure l’une de ces périodes\u{202F}: %1.",
            pt: "Uma oferta com pagamento adiantado dura um destes períodos: %1.", zh: "預付優惠的期間可為：%1。",
            de: "Ein Angebot mit Vorauszahlung dauert eines von: %1."),
        Phrase(
            "The offer has 1 period", fr: "L’offre a une seule période.", pt: "A oferta tem 1 período.",
            zh: "優惠只有 1 期。", de: "Das Angebot hat 1 Zeitraum."),
        Phrase(
            "An offer paid as you go has the subscription's duration, %1",
            fr: "Une offre payée à l’utilisation a la durée de l’abonnement, %1.",
            pt: "Uma oferta de pague conforme o uso tem a duração da assinatura, %1.", zh: "隨用隨付優惠的期間與訂閱項目相同：%1。",
            de: "Ein Angebot mit laufender Zahlung hat die Dauer des Abos, %1."),
        Phrase(
            "The offer has 1 to %1 periods", fr: "L’offre a de 1 à %1 périodes.",
            pt: "A oferta tem de 1 a %1 períodos.", zh: "優惠有 1 到 %1 期。", de: "Das Angebot hat 1 bis %1 Zeiträume."),
        Phrase(
            "There is another price for the territory %1", fr: "Il y a déjà un prix pour %1.",
            pt: "Já há um preço para %1.", zh: "%1 已有其他價格。", de: "Für %1 gibt es schon einen Preis."),
        Phrase(
            "The price %1 is none in %2, whose currency is %3",
            fr: "%1 n’est pas un prix dans %2, dont la devise est %3.", pt: "%1 não é um preço em %2, cuja moeda é %3.",
            zh: "%1 不是 %2 的價格，其貨幣為 %3。", de: "%1 ist kein Preis in %2, dessen Währung %3 ist."),
        Phrase(
            "An offer that is paid has prices", fr: "Une offre payante a un prix.", pt: "Uma oferta paga tem preço.",
            zh: "付費優惠須有價格。", de: "Ein bezahltes Angebot hat einen Preis."),
        Phrase(
            "A subscription has offers of its own", fr: "Un abonnement a ses propres offres.",
            pt: "Uma assinatura tem ofertas próprias.", zh: "訂閱項目有自己的優惠。", de: "Ein Abo hat eigene Angebote."),
        Phrase(
            "An offer that was deactivated can't be activated again",
            fr: "Une offre désactivée ne peut pas être réactivée.", pt: "Uma oferta desativada não pode ser reativada.",
            zh: "已停用的優惠無法再啟用。", de: "Ein deaktiviertes Angebot kann nicht wieder aktiviert werden."),
        Phrase(
            "The offer is for at least one kind of customers", fr: "L’offre s’adresse à au moins un type de clients.",
            pt: "A oferta é para ao menos um tipo de cliente.", zh: "優惠至少須適用一類顧客。",
            de: "Das Angebot gilt für mindestens eine Art von Kunden."),
        Phrase(
            "Only approved subscriptions have win-back offers",
            fr: "Seuls les abonnements approuvés ont des offres de reconquête.",
            pt: "Só assinaturas aprovadas têm ofertas de reconquista.", zh: "只有已核准的訂閱項目有贏回優惠。",
            de: "Nur genehmigte Abos haben Win-back-Angebote."),
        Phrase(
            "The offer has started: only its priority can be changed",
            fr: "L’offre a commencé\u{202F}: seule sa priorité peut changer.",
            pt: "A oferta já começou: só a prioridade pode mudar.", zh: "優惠已開始，只能更改優先順序。",
            de: "Das Angebot hat begonnen: Nur seine Priorität lässt sich ändern."),
        Phrase(
            "The customer has paid for %1", fr: "Le client a payé pendant %1.", pt: "O cliente pagou por %1.",
            zh: "顧客已付費 %1。", de: "Der Kunde hat für %1 bezahlt."),
        Phrase(
            "The minimum is %1", fr: "Le minimum est de %1.", pt: "O mínimo é de %1.", zh: "下限為 %1。",
            de: "Das Minimum beträgt %1."),
        Phrase("1 to %1 months", fr: "1 à %1 mois", pt: "1 a %1 meses", zh: "1 到 %1 個月", de: "1 bis %1 Monate"),
        Phrase(
            "The maximum is not less than the minimum, and %1 months at most",
            fr: "Le maximum n’est pas inférieur au minimum et ne dépasse pas %1 mois.",
            pt: "O máximo não é menor que o mínimo e é de até %1 meses.", zh: "上限不得低於下限，且最多 %1 個月。",
            de: "Das Maximum ist nicht kleiner als das Minimum und höchstens %1 Monate."),
        Phrase(
            "The wait is 2 to 24 months", fr: "L’attente est de 2 à 24 mois.", pt: "A espera é de 2 a 24 meses.",
            zh: "間隔須為 2 到 24 個月。", de: "Die Wartezeit beträgt 2 bis 24 Monate."),
        Phrase(
            "%1 has no offer of that ID for codes", fr: "%1 n’a pas cette offre pour des codes.",
            pt: "%1 não tem essa oferta para códigos.", zh: "%1 沒有可用於代碼的這項優惠。",
            de: "%1 hat kein solches Angebot für Codes."),
        Phrase(
            "codes end in the future", fr: "La date d’expiration doit être à venir.",
            pt: "A data de expiração deve ser futura.", zh: "到期日須為未來日期。",
            de: "Das Ablaufdatum muss in der Zukunft liegen."),
        Phrase(
            "the app has a code of that name", fr: "L’app a déjà ce code.", pt: "O app já tem esse código.",
            zh: "此 App 已有這個代碼。", de: "Die App hat diesen Code schon."),
        Phrase(
            "1 to %1 codes at once", fr: "De 1 à %1 codes à la fois.", pt: "De 1 a %1 códigos por vez.",
            zh: "一次 1 到 %1 個代碼。", de: "1 bis %1 Codes auf einmal."),
        Phrase(
            "a code has 1 to %1 letters and digits", fr: "Un code a de 1 à %1 lettres et chiffres.",
            pt: "Um código tem de 1 a %1 letras e números.", zh: "代碼須為 1 到 %1 個字母與數字。",
            de: "Ein Code hat 1 bis %1 Buchstaben und Ziffern."),
        Phrase("1 to %1", fr: "De 1 à %1.", pt: "De 1 a %1.", zh: "1 到 %1。", de: "1 bis %1."),
        Phrase(
            "An app has %1 promoted purchases at most", fr: "Une app a %1 achats mis en avant au plus.",
            pt: "Um app tem no máximo %1 compras promovidas.", zh: "App 最多有 %1 個推廣項目。",
            de: "Eine App hat höchstens %1 beworbene Käufe."),
        Phrase(
            "The product is promoted already", fr: "Le produit est déjà mis en avant.", pt: "O produto já é promovido.",
            zh: "產品已在推廣。", de: "Das Produkt wird schon beworben."),
        Phrase(
            "The product is that of another app", fr: "Le produit appartient à une autre app.",
            pt: "O produto é de outro app.", zh: "產品屬於其他 App。", de: "Das Produkt gehört zu einer anderen App."),
        Phrase(
            "There is no resource of type 'promotedPurchases' with id '%1'",
            fr: "Il n’y a pas d’achat mis en avant «\u{202F}%1\u{202F}».", pt: "Não há a compra promovida “%1”.",
            zh: "沒有推廣項目「%1」。", de: "Es gibt keinen beworbenen Kauf „%1“."),
        Phrase(
            "The list has each of the app's promoted purchases once",
            fr: "La liste contient une fois chacun des achats mis en avant.",
            pt: "A lista tem cada compra promovida do app uma vez.", zh: "清單須包含每個推廣項目各一次。",
            de: "Die Liste enthält jeden beworbenen Kauf der App einmal."),
    ]
}
