/// Refusals about prices and their schedules.
extension RefusalSentences {
    static let prices: [Phrase] = [
        Phrase(
            "A subscription's prices are set one by one for each territory.",
            fr: "Les prix d’un abonnement se fixent un par un pour chaque boutique.",
            pt: "Os preços de uma assinatura são definidos um a um para cada loja.", zh: "訂閱項目的價格須逐一為各店面設定。",
            de: "Die Preise eines Abos werden für jeden Store einzeln gesetzt."),
        Phrase(
            "There must be at least one manual price for the base territory.",
            fr: "Il faut au moins un prix manuel pour la boutique de base.",
            pt: "É preciso ao menos um preço manual para a loja de base.", zh: "基準店面至少須有一個手動價格。",
            de: "Der Basis-Store braucht mindestens einen manuellen Preis."),
        Phrase(
            "The start date '%1' of a price in %2 must be on or after %3.",
            fr: "La date de début %1 d’un prix dans %2 doit être au plus tôt le %3.",
            pt: "A data de início %1 de um preço em %2 deve ser %3 ou depois.", zh: "%2 價格的開始日期 %1 不得早於 %3。",
            de: "Das Startdatum %1 eines Preises in %2 liegt frühestens am %3."),
        Phrase(
            "The end date of %1 in %2 must be after its start date.",
            fr: "La date de fin de %1 dans %2 doit suivre la date de début.",
            pt: "A data de término de %1 em %2 deve ser posterior à de início.", zh: "%2 的 %1 結束日期須晚於開始日期。",
            de: "Das Enddatum von %1 in %2 liegt nach dem Startdatum."),
        Phrase(
            "Entire timeline must be covered for %1. %2", fr: "Les prix de %1 doivent se suivre sans interruption. %2",
            pt: "Os preços de %1 devem cobrir todo o período. %2", zh: "%1 的價格須涵蓋整個期間。%2",
            de: "Die Preise in %1 müssen lückenlos aufeinander folgen. %2"),
        Phrase(
            "The timeline must not have two prices at a time for %1. Adjacent intervals must not overlap: %2 and %3",
            fr: "%1 ne peut pas avoir deux prix à la fois\u{202F}: %2 et %3 se chevauchent.",
            pt: "%1 não pode ter dois preços ao mesmo tempo: %2 e %3 se sobrepõem.", zh: "%1 不能同時有兩個價格：%2 與 %3 重疊。",
            de: "%1 kann nicht zwei Preise zugleich haben: %2 und %3 überschneiden sich."),
        Phrase(
            "%1 isn't an auto-renewable subscription.", fr: "%1 n’est pas un abonnement à renouvellement automatique.",
            pt: "%1 não é uma assinatura com renovação automática.", zh: "%1 不是自動續訂型訂閱項目。",
            de: "%1 ist kein automatisch verlängertes Abonnement."),
        Phrase(
            "The availability of %1 must be set before its first price.",
            fr: "La disponibilité de %1 doit être fixée avant son premier prix.",
            pt: "A disponibilidade de %1 deve ser definida antes do primeiro preço.", zh: "請先設定 %1 的供應狀況，再設定首個價格。",
            de: "Die Verfügbarkeit von %1 muss vor dem ersten Preis gesetzt sein."),
        Phrase(
            "%1 has no price up front in %2 yet.", fr: "%1 n’a pas encore de prix à l’avance dans %2.",
            pt: "%1 ainda não tem preço adiantado em %2.", zh: "%1 在 %2 尚無預付價格。",
            de: "%1 hat in %2 noch keinen Preis für Vorauszahlung."),
        Phrase(
            "Twelve monthly prices of %1 are more than one and a half times the price of %2.",
            fr: "Douze mensualités de %1 dépassent une fois et demie le prix de %2.",
            pt: "Doze mensalidades de %1 passam de uma vez e meia o preço de %2.", zh: "12 期 %1 超過 %2 的 1.5 倍。",
            de: "Zwölf Monatsraten von %1 sind mehr als das Anderthalbfache des Preises von %2."),
        Phrase(
            "A free subscription has no price.", fr: "Un abonnement gratuit n’a pas de prix.",
            pt: "Uma assinatura gratuita não tem preço.", zh: "免費訂閱項目沒有價格。", de: "Ein kostenloses Abo hat keinen Preis."
        ),
        Phrase(
            "The plan has no prices.", fr: "Cette formule n’a pas de prix.", pt: "O plano não tem preços.",
            zh: "此方案沒有價格。", de: "Der Plan hat keine Preise."),
        Phrase(
            "The first price applies at once and has no date.",
            fr: "Le premier prix s’applique aussitôt et n’a pas de date.",
            pt: "O primeiro preço vale na hora e não tem data.", zh: "首個價格立即生效，沒有日期。",
            de: "Der erste Preis gilt sofort und hat kein Datum."),
        Phrase(
            "A price is 0 or more, in thousandths of the currency's unit.", fr: "Un prix est de 0 ou plus.",
            pt: "Um preço é 0 ou mais.", zh: "價格須為 0 以上。", de: "Ein Preis ist 0 oder mehr."),
        Phrase(
            "a price is 0 or more, in thousandths of the currency's unit", fr: "Un prix est de 0 ou plus.",
            pt: "Um preço é 0 ou mais.", zh: "價格須為 0 以上。", de: "Ein Preis ist 0 oder mehr."),
        Phrase(
            "%1 has no smaller coin than %2.", fr: "%1 n’a pas de pièce plus petite que %2.",
            pt: "%1 não tem moeda menor que %2.", zh: "%1 的最小單位為 %2。", de: "%1 hat keine kleinere Münze als %2."),
        Phrase(
            "A storefront is a three-letter code such as USA.",
            fr: "Une boutique est un code de trois lettres, comme USA.",
            pt: "Uma loja é um código de três letras, como USA.", zh: "店面為三個字母的代碼，例如 USA。",
            de: "Ein Store ist ein Code aus drei Buchstaben wie USA."),
        Phrase(
            "a storefront is a three-letter code such as USA",
            fr: "Une boutique est un code de trois lettres, comme USA.",
            pt: "Uma loja é um código de três letras, como USA.", zh: "店面為三個字母的代碼，例如 USA。",
            de: "Ein Store ist ein Code aus drei Buchstaben wie USA."),
        Phrase(
            "Prices in %1 are in %2.", fr: "Les prix dans %1 sont en %2.", pt: "Os preços em %1 são em %2.",
            zh: "%1 的價格以 %2 計。", de: "Preise in %1 sind in %2."),
        Phrase(
            "The base price is in %1.", fr: "Le prix de base est en %1.", pt: "O preço de base é em %1.",
            zh: "基準價格以 %1 計。", de: "Der Basispreis ist in %1."),
        Phrase(
            "Each storefront has its own price: name one, or set the equal price in all.",
            fr: "Chaque boutique a son prix\u{202F}: choisissez-en une, ou fixez le prix équivalent dans toutes.",
            pt: "Cada loja tem seu preço: escolha uma ou defina o preço equivalente em todas.",
            zh: "每個店面各有價格，請選擇一個店面，或在全部店面設定等值價格。",
            de: "Jeder Store hat seinen Preis: Wählen Sie einen, oder setzen Sie den gleichwertigen Preis in allen."),
        Phrase(
            "Invalid startDate=null, a future date is expected, and must be on or after %1.",
            fr: "Une date à venir est attendue, au plus tôt le %1.", pt: "É esperada uma data futura, a partir de %1.",
            zh: "須為未來日期，不得早於 %1。", de: "Erwartet wird ein künftiges Datum, frühestens %1."),
        Phrase(
            "Invalid startDate=%1, a future date is expected, and must be on or after %2.",
            fr: "%1 ne convient pas\u{202F}: la date est au plus tôt le %2.",
            pt: "%1 não é válida: a data deve ser %2 ou depois.", zh: "%1 無效，日期不得早於 %2。",
            de: "%1 ist ungültig: Das Datum liegt frühestens am %2."),
        Phrase(
            "Invalid startDate=%1, the first price in %2 applies at once and has no start date.",
            fr: "%1 ne convient pas\u{202F}: le premier prix dans %2 s’applique aussitôt et n’a pas de date.",
            pt: "%1 não é válida: o primeiro preço em %2 vale na hora e não tem data.",
            zh: "%1 無效：%2 的首個價格立即生效，沒有開始日期。",
            de: "%1 ist ungültig: Der erste Preis in %2 gilt sofort und hat kein Startdatum."),
        Phrase(
            "A price change in %1 is scheduled for %2 already. Delete it first.",
            fr: "Un changement de prix dans %1 est déjà prévu pour le %2. Supprimez-le d’abord.",
            pt: "Já há uma mudança de preço em %1 agendada para %2. Exclua-a primeiro.", zh: "%1 已排定於 %2 變更價格，請先刪除。",
            de: "In %1 ist schon eine Preisänderung für den %2 geplant. Löschen Sie sie zuerst."),
        Phrase(
            "A schedule has at most %1 prices.", fr: "Un calendrier a %1 prix au plus.",
            pt: "Uma agenda tem no máximo %1 preços.", zh: "時間表最多有 %1 個價格。", de: "Ein Plan hat höchstens %1 Preise."),
        Phrase(
            "at most %1 prices wait in a product's schedule", fr: "Le calendrier d’un produit a %1 prix au plus.",
            pt: "A agenda de um produto tem no máximo %1 preços.", zh: "產品的時間表最多有 %1 個價格。",
            de: "Im Plan eines Produkts warten höchstens %1 Preise."),
        Phrase(
            "A price that has started can't be deleted.", fr: "Un prix en vigueur ne peut pas être supprimé.",
            pt: "Um preço em vigor não pode ser excluído.", zh: "已生效的價格無法刪除。",
            de: "Ein Preis, der schon gilt, kann nicht gelöscht werden."),
        Phrase(
            "No price starts in %1 at that time.", fr: "Aucun prix ne commence dans %1 à ce moment.",
            pt: "Nenhum preço começa em %1 nesse momento.", zh: "%1 在該時間沒有開始的價格。",
            de: "In %1 beginnt zu dieser Zeit kein Preis."),
        Phrase(
            "The price in %1 follows from the base territory's. Delete that one.",
            fr: "Le prix dans %1 découle de celui de la boutique de base. Supprimez ce dernier.",
            pt: "O preço em %1 decorre do da loja de base. Exclua esse.", zh: "%1 的價格依基準店面而定，請刪除基準價格。",
            de: "Der Preis in %1 folgt aus dem des Basis-Stores. Löschen Sie diesen."),
        Phrase(
            "No price is scheduled in the catalog for that instant.",
            fr: "Aucun prix n’est prévu dans le catalogue pour cet instant.",
            pt: "Nenhum preço está agendado no catálogo para esse instante.", zh: "目錄在該時間沒有排定的價格。",
            de: "Für diesen Zeitpunkt ist im Katalog kein Preis geplant."),
        Phrase(
            "no price is scheduled for that instant; a catalog's schedule changes in it",
            fr:
                "Aucun prix n’est prévu pour cet instant\u{202F}; le calendrier d’un catalogue se modifie dans le catalogue.",
            pt: "Nenhum preço está agendado para esse instante; a agenda de um catálogo muda nele.",
            zh: "該時間沒有排定的價格；目錄的時間表須在目錄中更改。",
            de: "Für diesen Zeitpunkt ist kein Preis geplant; der Plan eines Katalogs wird im Katalog geändert."),
        Phrase(
            "A price that has started can't be cancelled.", fr: "Un prix en vigueur ne peut pas être annulé.",
            pt: "Um preço em vigor não pode ser cancelado.", zh: "已生效的價格無法取消。",
            de: "Ein Preis, der schon gilt, kann nicht zurückgenommen werden."),
        Phrase(
            "A price is 0 to %1 thousandths.", fr: "Un prix va de 0 à %1 millièmes.",
            pt: "Um preço vai de 0 a %1 milésimos.", zh: "價格為 0 到 %1（千分之一單位）。",
            de: "Ein Preis geht von 0 bis %1 Tausendstel."),
        Phrase(
            "'%1' is no storefront of this store.", fr: "«\u{202F}%1\u{202F}» n’est pas une boutique.",
            pt: "“%1” não é uma loja.", zh: "「%1」不是店面。", de: "„%1“ ist kein Store."),
    ]
}
