/// Refusals about environments, their clocks, accounts and testers.
extension RefusalSentences {
    static let environments: [Phrase] = [
        Phrase(
            "there is no account of that name", fr: "Aucun compte ne porte ce nom.", pt: "Não há conta com esse nome.",
            zh: "沒有該名稱的帳號。", de: "Es gibt kein Konto dieses Namens."),
        Phrase(
            "the account is gone", fr: "Le compte n’existe plus.", pt: "A conta não existe mais.", zh: "帳號已不存在。",
            de: "Das Konto gibt es nicht mehr."),
        Phrase(
            "after is the next of an earlier page of this list",
            fr: "Cette page de la liste n’est plus valable\u{202F}: revenez à la première.",
            pt: "Esta página da lista não vale mais: volte à primeira.", zh: "清單的此頁已失效，請返回第一頁。",
            de: "Diese Seite der Liste gilt nicht mehr: Gehen Sie zur ersten zurück."),
        Phrase(
            "the app has no such transaction in this environment",
            fr: "L’app n’a pas cette transaction dans cet environnement.",
            pt: "O app não tem essa transação neste ambiente.", zh: "此環境中 App 沒有該交易。",
            de: "Die App hat diese Transaktion in dieser Umgebung nicht."),
        Phrase(
            "the transaction is gone", fr: "La transaction n’existe plus.", pt: "A transação não existe mais.",
            zh: "交易已不存在。", de: "Die Transaktion gibt es nicht mehr."),
        Phrase(
            "this customer has no transaction with that number", fr: "Ce client n’a pas de transaction avec ce numéro.",
            pt: "Este cliente não tem transação com esse número.", zh: "此顧客沒有該編號的交易。",
            de: "Dieser Kunde hat keine Transaktion mit dieser Nummer."),
        Phrase(
            "there is no such transaction in this environment",
            fr: "Cette transaction n’existe pas dans cet environnement.",
            pt: "Essa transação não existe neste ambiente.", zh: "此環境中沒有該交易。",
            de: "Diese Transaktion gibt es in dieser Umgebung nicht."),
        Phrase(
            "there is no transaction of that number", fr: "Aucune transaction n’a ce numéro.",
            pt: "Não há transação com esse número.", zh: "沒有該編號的交易。", de: "Es gibt keine Transaktion mit dieser Nummer."
        ),
        Phrase(
            "transactions are deleted in test sessions only",
            fr: "Les transactions ne se suppriment que dans les sessions de test.",
            pt: "Transações só são excluídas em sessões de teste.", zh: "只有測試工作階段可刪除交易。",
            de: "Transaktionen werden nur in Testsitzungen gelöscht."),
        Phrase(
            "no subscription of that ID is quarantined",
            fr: "Aucun abonnement avec cet identifiant n’est en quarantaine.",
            pt: "Nenhuma assinatura com esse ID está em quarentena.", zh: "沒有該 ID 的隔離訂閱。",
            de: "Kein Abo mit dieser ID ist in Quarantäne."),
        Phrase(
            "there is no family with that number", fr: "Aucune famille n’a ce numéro.",
            pt: "Não há família com esse número.", zh: "沒有該編號的家庭。", de: "Es gibt keine Familie mit dieser Nummer."),
        Phrase(
            "the account belongs to the family", fr: "Le compte fait déjà partie de la famille.",
            pt: "A conta já pertence à família.", zh: "帳號已屬於此家庭。", de: "Das Konto gehört schon zur Familie."),
        Phrase(
            "the account belongs to a family already", fr: "Le compte fait déjà partie d’une famille.",
            pt: "A conta já pertence a uma família.", zh: "帳號已屬於某個家庭。", de: "Das Konto gehört schon zu einer Familie."),
        Phrase(
            "a family has %1 people at most", fr: "Une famille a %1 personnes au plus.",
            pt: "Uma família tem no máximo %1 pessoas.", zh: "家庭最多 %1 人。", de: "Eine Familie hat höchstens %1 Personen."
        ),
        Phrase(
            "the account is no member that could leave", fr: "Le compte n’est pas un membre qui pourrait partir.",
            pt: "A conta não é um membro que possa sair.", zh: "該帳號不是可退出的成員。",
            de: "Das Konto ist kein Mitglied, das austreten könnte."),
        Phrase(
            "letters, digits, - and _, at most %1, and no - at the beginning",
            fr: "Lettres, chiffres, - et _, %1 au plus, et pas de - au début.",
            pt: "Letras, números, - e _, no máximo %1, e sem - no início.",
            zh: "限英文字母、數字、- 和 _，最多 %1 個，且不以 - 開頭。",
            de: "Buchstaben, Ziffern, - und _, höchstens %1, und kein - am Anfang."),
        Phrase(
            "a real clock is the world's: now is for a manual one",
            fr: "Une horloge réelle est celle du monde\u{202F}: seule une horloge manuelle a un départ.",
            pt: "Um relógio real é o do mundo: só um manual tem hora inicial.", zh: "真實時鐘依世界時間，只有手動時鐘可設定起始時間。",
            de: "Eine echte Uhr ist die der Welt: Nur eine manuelle hat eine Startzeit."),
        Phrase(
            "an environment of that name is there already", fr: "Un environnement de ce nom existe déjà.",
            pt: "Já existe um ambiente com esse nome.", zh: "已有同名環境。", de: "Eine Umgebung dieses Namens gibt es schon."),
        Phrase(
            "there is no environment of that name", fr: "Aucun environnement ne porte ce nom.",
            pt: "Não há ambiente com esse nome.", zh: "沒有該名稱的環境。", de: "Es gibt keine Umgebung dieses Namens."),
        Phrase(
            "it is always there; a reset empties it", fr: "Il existe toujours\u{202F}; vous pouvez le vider.",
            pt: "Ele existe sempre; você pode esvaziá-lo.", zh: "此環境一律存在，但可清空。",
            de: "Sie ist immer da; Sie können sie leeren."),
        Phrase(
            "a time from %1 to %2: what this store signs at another, its certificates don't cover",
            fr: "Un moment du %1 au %2\u{202F}: les certificats du store ne couvrent pas les autres.",
            pt: "Um momento de %1 a %2: os certificados da loja não cobrem outros.", zh: "時間須介於 %1 到 %2，商店的憑證不涵蓋其他時間。",
            de: "Ein Zeitpunkt von %1 bis %2: Andere decken die Zertifikate des Stores nicht ab."),
        Phrase(
            "the clock stands at %1 and only moves forward", fr: "L’horloge indique %1 et n’avance que dans un sens.",
            pt: "O relógio está em %1 e só avança.", zh: "時鐘目前為 %1，只能往前。",
            de: "Die Uhr steht auf %1 und geht nur vorwärts."),
        Phrase(
            "protocols write years with four digits: the clock ends with 9999",
            fr: "Les années ont quatre chiffres\u{202F}: l’horloge s’arrête en 9999.",
            pt: "Os anos têm quatro dígitos: o relógio termina em 9999.", zh: "年份為四位數，時鐘最晚到 9999 年。",
            de: "Jahre haben vier Ziffern: Die Uhr endet mit 9999."),
        Phrase(
            "the clock runs on real time and can't be moved; make an environment with a manual clock",
            fr:
                "L’horloge suit le temps réel et ne peut pas être avancée\u{202F}; créez un environnement à horloge manuelle.",
            pt: "O relógio segue o tempo real e não pode ser movido; crie um ambiente com relógio manual.",
            zh: "時鐘依實際時間運行，無法移動；請建立使用手動時鐘的環境。",
            de:
                "Die Uhr läuft in echter Zeit und lässt sich nicht stellen; legen Sie eine Umgebung mit manueller Uhr an."
        ),
        Phrase(
            "the account is unknown or the password is wrong",
            fr: "Le compte est inconnu ou le mot de passe incorrect.",
            pt: "A conta é desconhecida ou a senha está errada.", zh: "帳號不明或密碼錯誤。",
            de: "Das Konto ist unbekannt oder das Passwort falsch."),
        Phrase(
            "sandbox testers choose their pace; time in Production is real",
            fr: "Seuls les testeurs Sandbox ont un rythme de renouvellement\u{202F}; en Production, le temps est réel.",
            pt: "Só testadores do Sandbox têm ritmo de renovação; em Produção o tempo é real.",
            zh: "只有沙箱測試員可設定續訂速度，正式環境採用實際時間。",
            de: "Nur Sandbox-Tester haben eine Verlängerungsrate; in der Produktion ist die Zeit echt."),
        Phrase(
            "sandbox testers ask to buy; Production has no testers",
            fr:
                "Seuls les testeurs Sandbox demandent à acheter\u{202F}; la Production n’a pas de testeurs.",
            pt: "Só testadores do Sandbox pedem para comprar; a Produção não tem testadores.",
            zh: "只有沙箱測試員使用「購買前詢問」，正式環境沒有測試員。",
            de: "Nur Sandbox-Tester stellen Kaufanfragen; in der Produktion gibt es keine Tester."),
        Phrase(
            "a name of 1 to %1 bytes, such as an e-mail address",
            fr: "Un nom de 1 à %1 octets, comme une adresse e-mail.", pt: "Um nome de 1 a %1 bytes, como um e-mail.",
            zh: "名稱須為 1 到 %1 位元組，例如電子郵件地址。", de: "Ein Name mit 1 bis %1 Byte, etwa eine E-Mail-Adresse."),
        Phrase(
            "there is no tester with an account of that name", fr: "Aucun testeur n’a de compte de ce nom.",
            pt: "Não há testador com conta desse nome.", zh: "沒有該帳號名稱的測試員。",
            de: "Es gibt keinen Tester mit einem Konto dieses Namens."),
        Phrase(
            "Purchases of Production can't be cleared.", fr: "Les achats de Production ne peuvent pas être effacés.",
            pt: "Compras de Produção não podem ser excluídas.", zh: "無法清除正式環境的購買記錄。",
            de: "Käufe der Produktion können nicht gelöscht werden."),
        Phrase(
            "There is no resource of type 'sandboxTesters' with id '%1'.",
            fr: "Il n’y a pas de testeur «\u{202F}%1\u{202F}».", pt: "Não há o testador “%1”.", zh: "沒有測試員「%1」。",
            de: "Es gibt keinen Tester „%1“."),
        Phrase(
            "%1 is in a family that shares purchases: remove the tester from it first.",
            fr:
                "%1 fait partie d’une famille qui partage des achats\u{202F}: retirez d’abord le testeur de la famille.",
            pt: "%1 está em uma família que compartilha compras: remova o testador dela primeiro.",
            zh: "%1 屬於共享購買項目的家庭，請先將該測試員移出。",
            de: "%1 gehört zu einer Familie, die Käufe teilt: Entfernen Sie den Tester zuerst daraus."),
        Phrase(
            "at most %1 IDs in a request", fr: "%1 identifiants au plus par requête.",
            pt: "No máximo %1 IDs por solicitação.", zh: "每次要求最多 %1 個 ID。", de: "Höchstens %1 IDs pro Anfrage."),
        Phrase(
            "the token proves no key of this store", fr: "Le jeton ne correspond à aucune clé de ce store.",
            pt: "O token não corresponde a nenhuma chave desta loja.", zh: "權杖不符合此商店的任何金鑰。",
            de: "Das Token passt zu keinem Schlüssel dieses Stores."),
        Phrase(
            "a revision is one that an earlier answer gave", fr: "Une révision vient d’une réponse précédente.",
            pt: "Uma revisão vem de uma resposta anterior.", zh: "修訂版須來自先前的回應。",
            de: "Eine Revision stammt aus einer früheren Antwort."),
        Phrase(
            "a revision is one that an earlier answer to this customer gave",
            fr: "Une révision vient d’une réponse précédente à ce client.",
            pt: "Uma revisão vem de uma resposta anterior a este cliente.", zh: "修訂版須來自先前給此顧客的回應。",
            de: "Eine Revision stammt aus einer früheren Antwort an diesen Kunden."),
        Phrase(
            "a device is named by a UUID", fr: "Un appareil est désigné par un UUID.",
            pt: "Um dispositivo é identificado por um UUID.", zh: "裝置以 UUID 識別。",
            de: "Ein Gerät wird durch eine UUID bezeichnet."),
        Phrase(
            "sign the device in first", fr: "Connectez d’abord l’appareil.", pt: "Entre primeiro no dispositivo.",
            zh: "請先登入裝置。", de: "Melden Sie zuerst das Gerät an."),
    ]
}
