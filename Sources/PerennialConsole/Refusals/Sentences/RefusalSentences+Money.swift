/// Refusals about notifications, statistics, finance and explanations.
extension RefusalSentences {
    static let money: [Phrase] = [
        Phrase(
            "%1 is 0 to %2", fr: "%1 est de 0 à %2.", pt: "%1 vai de 0 a %2.", zh: "%1 須為 0 到 %2。",
            de: "%1 ist 0 bis %2."),
        Phrase(
            "there is no such test, it is older than 180 days, or its result isn't known yet",
            fr: "Ce test n’existe pas, date de plus de 180 jours, ou son résultat n’est pas encore connu.",
            pt: "Esse teste não existe, tem mais de 180 dias ou o resultado ainda não é conhecido.",
            zh: "沒有此測試、已超過 180 天，或結果尚未得知。",
            de: "Diesen Test gibt es nicht, er ist älter als 180 Tage, oder sein Ergebnis ist noch nicht bekannt."),
        Phrase(
            "a pagination token comes from the page before",
            fr: "Cette page de la liste n’est plus valable\u{202F}: revenez à la première.",
            pt: "Esta página da lista não vale mais: volte à primeira.", zh: "清單的此頁已失效，請返回第一頁。",
            de: "Diese Seite der Liste gilt nicht mehr: Gehen Sie zur ersten zurück."),
        Phrase(
            "no URL is set for this app's notifications in this environment",
            fr: "Aucune URL de notification n’est définie pour cette app dans cet environnement.",
            pt: "Nenhuma URL de notificações está definida para este app neste ambiente.", zh: "此環境尚未設定此 App 的通知 URL。",
            de: "Für die Mitteilungen dieser App ist in dieser Umgebung keine URL gesetzt."),
        Phrase(
            "the URL was taken away meanwhile", fr: "L’URL a été retirée entre-temps.",
            pt: "A URL foi retirada enquanto isso.", zh: "URL 已被移除。", de: "Die URL wurde inzwischen entfernt."),
        Phrase(
            "this app has no notification with that UUID", fr: "Cette app n’a pas de notification avec cet UUID.",
            pt: "Este app não tem notificação com esse UUID.", zh: "此 App 沒有該 UUID 的通知。",
            de: "Diese App hat keine Mitteilung mit dieser UUID."),
        Phrase("expected %1", fr: "Il faut %1.", pt: "É necessário: %1.", zh: "須為%1。", de: "Erwartet wird %1."),
        Phrase(
            "a URL that begins with http:// or https:// and has at most %1 bytes",
            fr: "une URL qui commence par http:// ou https:// et a %1 octets au plus",
            pt: "uma URL que começa com http:// ou https:// e tem no máximo %1 bytes",
            zh: "以 http:// 或 https:// 開頭、最多 %1 位元組的 URL",
            de: "eine URL, die mit http:// oder https:// beginnt und höchstens %1 Byte hat"),
        Phrase(
            "letters, digits, '.', '_' and '-' of ASCII, first a letter or digit, at most %1",
            fr:
                "lettres sans accent, chiffres, points, tirets et traits de soulignement, d’abord une lettre ou un chiffre, %1 au plus",
            pt:
                "letras sem acento, números, pontos, sublinhados e hifens, primeiro uma letra ou um número, no máximo %1",
            zh: "英文字母、數字、句點、底線和連字號，開頭須為字母或數字，最多 %1 個",
            de:
                "Buchstaben ohne Umlaute, Ziffern, Punkte, Unter- und Bindestriche, zuerst ein Buchstabe oder eine Ziffer, höchstens %1"
        ),
        Phrase(
            "a time-out is 1 to %1 ms", fr: "Un délai est de 1 à %1 ms.", pt: "Um tempo limite é de 1 a %1 ms.",
            zh: "逾時須為 1 到 %1 毫秒。", de: "Eine Zeitgrenze ist 1 bis %1 ms."),
        Phrase(
            "there is no region %1", fr: "Il n’y a pas de région %1.", pt: "Não há a região %1.", zh: "沒有地區 %1。",
            de: "Es gibt keine Region %1."),
        Phrase(
            "an amount isn't 0, and at most a billion", fr: "Un montant n’est pas 0 et ne dépasse pas un milliard.",
            pt: "Um valor não é 0 e é de no máximo um bilhão.", zh: "金額不得為 0，且最多十億。",
            de: "Ein Betrag ist nicht 0 und höchstens eine Milliarde."),
        Phrase(
            "the key was used for another adjustment", fr: "La clé a servi à un autre ajustement.",
            pt: "A chave foi usada em outro ajuste.", zh: "金鑰已用於其他調整。",
            de: "Der Schlüssel wurde für eine andere Korrektur benutzt."),
        Phrase(
            "the fiscal month ends after %1, and the clock stands at %2",
            fr: "Le mois fiscal finit après le %1, et l’horloge indique %2.",
            pt: "O mês fiscal termina depois de %1, e o relógio está em %2.", zh: "會計月份於 %1 之後結束，時鐘目前為 %2。",
            de: "Der Geschäftsmonat endet nach dem %1, und die Uhr steht auf %2."),
        Phrase(
            "the subscription %1 was due at %2: renewals have to be processed first",
            fr: "L’abonnement %1 était dû le %2\u{202F}: les renouvellements doivent d’abord être traités.",
            pt: "A assinatura %1 vencia em %2: as renovações precisam ser processadas primeiro.",
            zh: "訂閱 %1 於 %2 到期，須先處理續訂。",
            de: "Das Abo %1 war am %2 fällig: Erst müssen die Verlängerungen bearbeitet werden."),
        Phrase(
            "%1 is closed, and the month had no closing of its own before",
            fr: "%1 est déjà clôturé, et ce mois n’avait pas de clôture.",
            pt: "%1 está fechado, e o mês não teve fechamento próprio antes.", zh: "%1 已結算，而該月之前未單獨結算。",
            de: "%1 ist abgeschlossen, und der Monat hatte davor keinen eigenen Abschluss."),
        Phrase(
            "%1 isn't closed yet: months are closed in their order",
            fr: "%1 n’est pas encore clôturé\u{202F}: les mois se clôturent dans l’ordre.",
            pt: "%1 ainda não está fechado: os meses são fechados em ordem.", zh: "%1 尚未結算，月份須依序結算。",
            de: "%1 ist noch nicht abgeschlossen: Monate werden der Reihe nach abgeschlossen."),
        Phrase(
            "a threshold is 0 or more", fr: "Un seuil est de 0 ou plus.", pt: "Um limite é 0 ou mais.",
            zh: "門檻須為 0 以上。", de: "Eine Schwelle ist 0 oder mehr."),
        Phrase(
            "a tax is 0 to 10000 basis points", fr: "Une taxe va de 0 à 10 000 points de base.",
            pt: "Um imposto vai de 0 a 10.000 pontos-base.", zh: "稅率須為 0 到 10,000 個基點。",
            de: "Eine Steuer ist 0 bis 10.000 Basispunkte."),
        Phrase(
            "the last four digits of the account", fr: "Les quatre derniers chiffres du compte.",
            pt: "Os quatro últimos dígitos da conta.", zh: "帳戶末四碼。", de: "Die letzten vier Ziffern des Kontos."),
        Phrase(
            "at most %1 rates in a request", fr: "%1 taux au plus par requête.",
            pt: "No máximo %1 taxas por solicitação.", zh: "每次要求最多 %1 個匯率。", de: "Höchstens %1 Kurse pro Anfrage."),
        Phrase(
            "a rate is greater than 0", fr: "Un taux est supérieur à 0.", pt: "Uma taxa é maior que 0.", zh: "匯率須大於 0。",
            de: "Ein Kurs ist größer als 0."),
        Phrase(
            "a currency has no rate to itself", fr: "Une devise n’a pas de taux vers elle-même.",
            pt: "Uma moeda não tem taxa para si mesma.", zh: "貨幣不能兌換自身。",
            de: "Eine Währung hat keinen Kurs zu sich selbst."),
        Phrase(
            "a currency is a code of three letters such as EUR",
            fr: "Une devise est un code de trois lettres, comme EUR.",
            pt: "Uma moeda é um código de três letras, como EUR.", zh: "貨幣為三個字母的代碼，例如 EUR。",
            de: "Eine Währung ist ein Code aus drei Buchstaben wie EUR."),
        Phrase(
            "1 to %1 bytes of UTF-8, without NUL", fr: "De 1 à %1 octets UTF-8, sans NUL.",
            pt: "De 1 a %1 bytes em UTF-8, sem NUL.", zh: "1 到 %1 個 UTF-8 位元組，不含 NUL。",
            de: "1 bis %1 Byte in UTF-8, ohne NUL."),
        Phrase(
            "the fiscal month isn't closed", fr: "Le mois fiscal n’est pas clôturé.",
            pt: "O mês fiscal não está fechado.", zh: "會計月份尚未結算。", de: "Der Geschäftsmonat ist nicht abgeschlossen."),
        Phrase(
            "an amount exchanged to %1 is too large", fr: "Un montant converti en %1 est trop grand.",
            pt: "Um valor convertido em %1 é grande demais.", zh: "兌換為 %1 的金額過大。",
            de: "Ein in %1 umgerechneter Betrag ist zu groß."),
        Phrase(
            "the exchange table has no rate from %1 to %2 for %3",
            fr: "La table de change n’a pas de taux de %1 vers %2 pour %3.",
            pt: "A tabela de câmbio não tem taxa de %1 para %2 em %3.", zh: "匯率表沒有 %3 的 %1 兌 %2 匯率。",
            de: "Die Wechselkurstabelle hat für %3 keinen Kurs von %1 zu %2."),
        Phrase(
            "from is no later than to", fr: "Le début n’est pas après la fin.", pt: "O início não é depois do fim.",
            zh: "開始日期不得晚於結束日期。", de: "Der Anfang liegt nicht nach dem Ende."),
        Phrase(
            "an answer has at most %1 periods: ask for fewer days",
            fr: "Une réponse a %1 périodes au plus\u{202F}: choisissez moins de jours.",
            pt: "Uma resposta tem no máximo %1 períodos: escolha menos dias.", zh: "最多 %1 期，請選擇較少天數。",
            de: "Eine Antwort hat höchstens %1 Zeiträume: Wählen Sie weniger Tage."),
        Phrase(
            "%1 is grouped by one of: %2", fr: "%1 se regroupe par\u{202F}: %2.", pt: "%1 é agrupado por: %2.",
            zh: "%1 可依以下分組：%2。", de: "%1 wird gruppiert nach: %2."),
        Phrase(
            "%1 has no window of days", fr: "%1 n’a pas de fenêtre de jours.", pt: "%1 não tem janela de dias.",
            zh: "%1 沒有天數範圍。", de: "%1 hat kein Fenster in Tagen."),
        Phrase(
            "there is no exchange rate from %1 to %2 for the fiscal month %3",
            fr: "Il n’y a pas de taux de %1 vers %2 pour le mois fiscal %3.",
            pt: "Não há taxa de %1 para %2 no mês fiscal %3.", zh: "會計月份 %3 沒有 %1 兌 %2 的匯率。",
            de: "Für den Geschäftsmonat %3 gibt es keinen Kurs von %1 zu %2."),
        Phrase(
            "a day such as 2026-10-03", fr: "Un jour comme 2026-10-03.", pt: "Um dia como 2026-10-03.",
            zh: "日期，例如 2026-10-03。", de: "Ein Tag wie 2026-10-03."),
        Phrase(
            "a fiscal month such as 2027-01, which is October 2026",
            fr: "Un mois fiscal comme 2027-01, c’est-à-dire octobre 2026.",
            pt: "Um mês fiscal como 2027-01, que é outubro de 2026.", zh: "會計月份，例如 2027-01（即 2026 年 10 月）。",
            de: "Ein Geschäftsmonat wie 2027-01, das ist Oktober 2026."),
        Phrase(
            "there is no region %1: say a code such as US or EU",
            fr: "Il n’y a pas de région %1\u{202F}: indiquez un code comme US ou EU.",
            pt: "Não há a região %1: informe um código como US ou EU.", zh: "沒有地區 %1，請輸入例如 US 或 EU 的代碼。",
            de: "Es gibt keine Region %1: Geben Sie einen Code wie US oder EU an."),
        Phrase(
            "there is no storefront %1: say a code such as US or USA",
            fr: "Il n’y a pas de boutique %1\u{202F}: indiquez un code comme US ou USA.",
            pt: "Não há a loja %1: informe um código como US ou USA.", zh: "沒有店面 %1，請輸入例如 US 或 USA 的代碼。",
            de: "Es gibt keinen Store %1: Geben Sie einen Code wie US oder USA an."),
        Phrase(
            "money is explained in one currency, such as USD",
            fr: "Un montant s’explique dans une seule devise, comme USD.",
            pt: "Um valor se explica em uma só moeda, como USD.", zh: "金額以一種貨幣說明，例如 USD。",
            de: "Ein Betrag wird in einer Währung erklärt, etwa USD."),
        Phrase(
            "there are no such rows in any report", fr: "Aucun rapport n’a de telles lignes.",
            pt: "Nenhum relatório tem essas linhas.", zh: "任何報告都沒有這些列。", de: "Kein Bericht hat solche Zeilen."),
        Phrase("there are %1", fr: "Il y a\u{202F}: %1.", pt: "Há: %1.", zh: "有：%1。", de: "Es gibt: %1."),
        Phrase(
            "There were no sales for the date specified.", fr: "Il n’y a pas de ventes à cette date.",
            pt: "Não houve vendas na data indicada.", zh: "指定日期沒有銷售。", de: "Für dieses Datum gibt es keine Verkäufe."),
        Phrase(
            "The vendor number is unknown.", fr: "Le numéro de vendeur est inconnu.",
            pt: "O número do fornecedor é desconhecido.", zh: "廠商編號不明。", de: "Die Anbieternummer ist unbekannt."),
        Phrase(
            "the store's disk has failed: it changes nothing until its operator has read its log and started it again",
            fr:
                "Le disque du store est en panne\u{202F}: rien ne change avant que l’administrateur ait lu le journal et redémarré le serveur.",
            pt: "O disco da loja falhou: nada muda até que o operador leia o registro e a reinicie.",
            zh: "商店的磁碟故障，管理者查看記錄並重新啟動前無法變更。",
            de:
                "Der Datenträger des Stores ist ausgefallen: Er ändert nichts, bis sein Betreiber das Protokoll gelesen und ihn neu gestartet hat."
        ),
        Phrase(
            "the Sunday that ends a week, such as 2026-10-04",
            fr: "Le dimanche qui finit une semaine, comme 2026-10-04.",
            pt: "O domingo que encerra uma semana, como 2026-10-04.", zh: "一週結束的星期日，例如 2026-10-04。",
            de: "Der Sonntag, der eine Woche beendet, etwa 2026-10-04."),
        Phrase(
            "a month such as 2026-10", fr: "Un mois comme 2026-10.", pt: "Um mês como 2026-10.", zh: "月份，例如 2026-10。",
            de: "Ein Monat wie 2026-10."),
        Phrase(
            "a year such as 2026", fr: "Une année comme 2026.", pt: "Um ano como 2026.", zh: "年份，例如 2026。",
            de: "Ein Jahr wie 2026."),
        Phrase(
            "Report is not available yet.", fr: "Le rapport n’est pas encore disponible.",
            pt: "O relatório ainda não está disponível.", zh: "報告尚未提供。", de: "Der Bericht ist noch nicht verfügbar."),
        Phrase(
            "Invalid weekly date.", fr: "Cette date ne termine pas une semaine.", pt: "Data semanal inválida.",
            zh: "每週報告的日期無效。", de: "Ungültiges Datum für einen Wochenbericht."),
        Phrase(
            "Invalid combination of date type and date.", fr: "La date ne convient pas à ce type de rapport.",
            pt: "A data não combina com o tipo de relatório.", zh: "日期與報告類型不符。",
            de: "Datum und Berichtsart passen nicht zusammen."),
        Phrase(
            "Invalid date.", fr: "Cette date n’est pas valide.", pt: "Data inválida.", zh: "日期無效。",
            de: "Ungültiges Datum."),
    ]
}
