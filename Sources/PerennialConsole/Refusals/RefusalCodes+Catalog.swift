import Perennial
import PerennialConnect
import PerennialDelivery

extension CatalogEditError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .required:
            Phrase(
                "A value is missing.", fr: "Une valeur manque.", pt: "Falta um valor.", zh: "缺少必填內容。",
                de: "Ein Wert fehlt.")
        case .invalid:
            Phrase(
                "This value breaks a rule of the catalog.", fr: "Cette valeur enfreint une règle du catalogue.",
                pt: "Este valor viola uma regra do catálogo.", zh: "此值違反目錄的規則。",
                de: "Dieser Wert verletzt eine Regel des Katalogs.")
        case .duplicate:
            Phrase(
                "This value is used already.", fr: "Cette valeur est déjà utilisée.", pt: "Este valor já está em uso.",
                zh: "此值已被使用。", de: "Dieser Wert wird schon verwendet.")
        case .invalidCharacters:
            Phrase(
                "This has characters that aren’t allowed.", fr: "Certains caractères ne sont pas permis.",
                pt: "Há caracteres que não são permitidos.", zh: "含有不允許的字元。",
                de: "Das enthält Zeichen, die nicht erlaubt sind.")
        case .unknownMember:
            Phrase(
                "The catalog has no such field.", fr: "Le catalogue n’a pas ce champ.",
                pt: "O catálogo não tem esse campo.", zh: "目錄沒有此欄位。", de: "Der Katalog hat dieses Feld nicht.")
        case .relationshipRequired:
            Phrase(
                "A choice is missing.", fr: "Un choix manque.", pt: "Falta uma escolha.", zh: "缺少必選項目。",
                de: "Eine Auswahl fehlt.")
        case .relationshipInvalid:
            Phrase(
                "This choice isn’t allowed here.", fr: "Ce choix n’est pas permis ici.",
                pt: "Esta escolha não é permitida aqui.", zh: "此處不允許這個選項。", de: "Diese Auswahl ist hier nicht erlaubt.")
        case .invalidInterval:
            Phrase(
                "The schedule has a gap or an overlap.", fr: "Le calendrier a un trou ou un chevauchement.",
                pt: "A agenda tem uma lacuna ou sobreposição.", zh: "時間表有空檔或重疊。",
                de: "Der Plan hat eine Lücke oder Überschneidung.")
        case .baseTerritoryRequired:
            Phrase(
                "The base storefront needs a price.", fr: "La boutique de base a besoin d’un prix.",
                pt: "A loja de base precisa de um preço.", zh: "基準店面須有價格。", de: "Der Basis-Store braucht einen Preis.")
        case .stateInvalid:
            Phrase(
                "Its state doesn’t allow this.", fr: "Son état ne le permet pas.", pt: "O estado não permite isto.",
                zh: "其狀態不允許此操作。", de: "Der Status erlaubt das nicht.")
        case .state:
            Phrase(
                "The state of something else doesn’t allow this.", fr: "L’état d’un autre élément ne le permet pas.",
                pt: "O estado de outro item não permite isto.", zh: "其他項目的狀態不允許此操作。",
                de: "Der Status eines anderen Eintrags erlaubt das nicht.")
        case .notFound:
            Phrase(
                "There is no such thing in the catalog.", fr: "Cela n’est pas dans le catalogue.",
                pt: "Isto não está no catálogo.", zh: "目錄中沒有此項目。", de: "Das gibt es im Katalog nicht.")
        case .changedMeanwhile:
            Phrase(
                "Another writer changed this meanwhile. Open the page again.",
                fr: "Une autre personne a modifié ceci entre-temps. Rouvrez la page.",
                pt: "Outra pessoa alterou isto enquanto isso. Abra a página de novo.", zh: "其他人已更改此內容，請重新開啟頁面。",
                de: "Jemand anderes hat das inzwischen geändert. Öffnen Sie die Seite neu.")
        case .limit:
            Phrase(
                "The limit is reached.", fr: "La limite est atteinte.", pt: "O limite foi atingido.", zh: "已達上限。",
                de: "Die Grenze ist erreicht.")
        }
    }
}

extension CatalogError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .unreadable:
            Phrase(
                "The file can’t be read.", fr: "Impossible de lire le fichier.", pt: "Não é possível ler o arquivo.",
                zh: "無法讀取檔案。", de: "Die Datei lässt sich nicht lesen.")
        case .malformedStoreKitFile:
            Phrase(
                "The StoreKit file isn’t well formed.", fr: "Le fichier StoreKit est mal formé.",
                pt: "O arquivo StoreKit está malformado.", zh: "StoreKit 檔案格式有誤。",
                de: "Die StoreKit-Datei ist nicht wohlgeformt.")
        case .malformedCatalogFile:
            Phrase(
                "The catalog file isn’t well formed.", fr: "Le fichier de catalogue est mal formé.",
                pt: "O arquivo de catálogo está malformado.", zh: "目錄檔案格式有誤。",
                de: "Die Katalogdatei ist nicht wohlgeformt.")
        case .incompleteProduct:
            Phrase(
                "A product in the file is incomplete.", fr: "Un produit du fichier est incomplet.",
                pt: "Um produto do arquivo está incompleto.", zh: "檔案中有產品不完整。",
                de: "Ein Produkt in der Datei ist unvollständig.")
        case .typeConflict:
            Phrase(
                "A product has two types.", fr: "Un produit a deux types.", pt: "Um produto tem dois tipos.",
                zh: "有產品具有兩種類型。", de: "Ein Produkt hat zwei Arten.")
        case .invalidProduct:
            Phrase(
                "A product in the file breaks a rule.", fr: "Un produit du fichier enfreint une règle.",
                pt: "Um produto do arquivo viola uma regra.", zh: "檔案中有產品違反規則。",
                de: "Ein Produkt in der Datei verletzt eine Regel.")
        case .invalidContent:
            Phrase(
                "Content in the file breaks a rule.", fr: "Un contenu du fichier enfreint une règle.",
                pt: "Um conteúdo do arquivo viola uma regra.", zh: "檔案中有內容違反規則。",
                de: "Ein Inhalt in der Datei verletzt eine Regel.")
        case .duplicateApp:
            Phrase(
                "An app comes twice.", fr: "Une app apparaît deux fois.", pt: "Um app aparece duas vezes.",
                zh: "有 App 重複出現。", de: "Eine App kommt zweimal vor.")
        case .bundleID:
            Phrase(
                "The bundle ID is missing or not valid.", fr: "L’identifiant de lot manque ou n’est pas valide.",
                pt: "O ID do pacote falta ou não é válido.", zh: "套件 ID 缺少或無效。",
                de: "Die Bundle-ID fehlt oder ist ungültig.")
        }
    }
}

extension CatalogWarning.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .unknownKey:
            Phrase(
                "A key is unknown; it is kept.", fr: "Une clé est inconnue\u{202F}; elle est conservée.",
                pt: "Uma chave é desconhecida; ela é mantida.", zh: "有不明的鍵，已保留。",
                de: "Ein Schlüssel ist unbekannt; er bleibt erhalten.")
        case .newerFileVersion:
            Phrase(
                "The file has a newer version than this store knows.",
                fr: "Le fichier a une version plus récente que celles que ce store connaît.",
                pt: "O arquivo tem uma versão mais nova que a conhecida por esta loja.", zh: "檔案的版本比此商店所知的更新。",
                de: "Die Datei hat eine neuere Version, als dieser Store kennt.")
        case .typeAssumed:
            Phrase(
                "A product’s type is missing and was assumed.", fr: "Le type d’un produit manque et a été supposé.",
                pt: "O tipo de um produto falta e foi presumido.", zh: "有產品缺少類型，已自行推定。",
                de: "Die Art eines Produkts fehlt und wurde angenommen.")
        case .settingNotApplied:
            Phrase(
                "A setting is kept, but not applied.", fr: "Un réglage est conservé, mais pas appliqué.",
                pt: "Um ajuste é mantido, mas não aplicado.", zh: "有設定已保留但未套用。",
                de: "Eine Einstellung bleibt erhalten, wird aber nicht angewandt.")
        case .policyNotApplied:
            Phrase(
                "A policy is kept, but not applied.", fr: "Une règle est conservée, mais pas appliquée.",
                pt: "Uma política é mantida, mas não aplicada.", zh: "有政策已保留但未套用。",
                de: "Eine Richtlinie bleibt erhalten, wird aber nicht angewandt.")
        case .keyPairNotImported:
            Phrase(
                "A key pair isn’t imported.", fr: "Une paire de clés n’est pas importée.",
                pt: "Um par de chaves não é importado.", zh: "有金鑰組未輸入。", de: "Ein Schlüsselpaar wird nicht importiert.")
        case .offerNotApplied:
            Phrase(
                "An offer is kept, but not applied.", fr: "Une offre est conservée, mais pas appliquée.",
                pt: "Uma oferta é mantida, mas não aplicada.", zh: "有優惠已保留但未套用。",
                de: "Ein Angebot bleibt erhalten, wird aber nicht angewandt.")
        case .offersDiffer:
            Phrase(
                "Offers differ between files.", fr: "Des offres diffèrent selon les fichiers.",
                pt: "Ofertas diferem entre arquivos.", zh: "各檔案的優惠不同。",
                de: "Angebote unterscheiden sich zwischen Dateien.")
        case .billingPlanNotApplied:
            Phrase(
                "A billing plan is kept, but not applied.",
                fr: "Une formule de facturation est conservée, mais pas appliquée.",
                pt: "Um plano de cobrança é mantido, mas não aplicado.", zh: "有計費方案已保留但未套用。",
                de: "Ein Abrechnungsplan bleibt erhalten, wird aber nicht angewandt.")
        case .imageNotApplied:
            Phrase(
                "An image is kept, but not applied.", fr: "Une image est conservée, mais pas appliquée.",
                pt: "Uma imagem é mantida, mas não aplicada.", zh: "有圖片已保留但未套用。",
                de: "Ein Bild bleibt erhalten, wird aber nicht angewandt.")
        case .groupMismatch:
            Phrase(
                "A product’s group differs from its place in the file.",
                fr: "Le groupe d’un produit diffère de sa place dans le fichier.",
                pt: "O grupo de um produto difere do lugar no arquivo.", zh: "產品的群組與其在檔案中的位置不符。",
                de: "Die Gruppe eines Produkts weicht von seinem Platz in der Datei ab.")
        case .levelAssumed:
            Phrase(
                "A level is missing and was assumed.", fr: "Un niveau manque et a été supposé.",
                pt: "Um nível falta e foi presumido.", zh: "缺少等級，已自行推定。", de: "Eine Stufe fehlt und wurde angenommen.")
        case .storefrontUnknown:
            Phrase(
                "A storefront is unknown.", fr: "Une boutique est inconnue.", pt: "Uma loja é desconhecida.",
                zh: "有不明的店面。", de: "Ein Store ist unbekannt.")
        case .localeUnknown:
            Phrase(
                "A language is unknown.", fr: "Une langue est inconnue.", pt: "Um idioma é desconhecido.",
                zh: "有不明的語言。", de: "Eine Sprache ist unbekannt.")
        case .priceMissing:
            Phrase(
                "A product has no price.", fr: "Un produit n’a pas de prix.", pt: "Um produto não tem preço.",
                zh: "有產品沒有價格。", de: "Ein Produkt hat keinen Preis.")
        case .nameMissing:
            Phrase(
                "A product has no name.", fr: "Un produit n’a pas de nom.", pt: "Um produto não tem nome.",
                zh: "有產品沒有名稱。", de: "Ein Produkt hat keinen Namen.")
        case .termUnknown:
            Phrase(
                "The term of a non-renewing subscription is unknown.",
                fr: "La durée d’un abonnement sans renouvellement est inconnue.",
                pt: "O prazo de uma assinatura não renovável é desconhecido.", zh: "非續訂型訂閱項目的期限不明。",
                de: "Die Laufzeit eines nicht verlängerten Abonnements ist unbekannt.")
        case .termWithoutProduct:
            Phrase(
                "A term belongs to no product.", fr: "Une durée n’appartient à aucun produit.",
                pt: "Um prazo não pertence a nenhum produto.", zh: "有期限不屬於任何產品。",
                de: "Eine Laufzeit gehört zu keinem Produkt.")
        case .productRule:
            Phrase(
                "A product breaks a rule of the App Store.", fr: "Un produit enfreint une règle de l’App Store.",
                pt: "Um produto viola uma regra da App Store.", zh: "有產品違反 App Store 的規則。",
                de: "Ein Produkt verletzt eine Regel des App Store.")
        case .bundleIDUnused:
            Phrase(
                "The bundle ID isn’t used.", fr: "L’identifiant de lot n’est pas utilisé.",
                pt: "O ID do pacote não é usado.", zh: "套件 ID 未使用。", de: "Die Bundle-ID wird nicht benutzt.")
        }
    }
}

extension KeyError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .appNotFound:
            Phrase(
                "This store has no such app.", fr: "Ce store n’a pas cette app.", pt: "Esta loja não tem esse app.",
                zh: "此商店沒有該 App。", de: "Dieser Store hat diese App nicht.")
        case .keyNotFound:
            Phrase(
                "There is no such key.", fr: "Cette clé n’existe pas.", pt: "Essa chave não existe.", zh: "沒有此金鑰。",
                de: "Diesen Schlüssel gibt es nicht.")
        case .rolesMissing:
            Phrase(
                "Choose at least one role that keys can have.",
                fr: "Choisissez au moins un rôle possible pour une clé.",
                pt: "Escolha ao menos uma função que chaves possam ter.", zh: "請至少選擇一個金鑰可用的角色。",
                de: "Wählen Sie mindestens eine Rolle, die Schlüssel haben können.")
        case .userNotFound:
            Phrase(
                "The team has no such user.", fr: "L’équipe n’a pas cet utilisateur.",
                pt: "A equipe não tem esse usuário.", zh: "團隊沒有此使用者。", de: "Das Team hat diesen Benutzer nicht.")
        }
    }
}

extension ContentLibraryError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .noFolder:
            Phrase(
                "No content folder is set up.", fr: "Aucun dossier de contenu n’est configuré.",
                pt: "Nenhuma pasta de conteúdo foi configurada.", zh: "尚未設定內容檔案夾。",
                de: "Es ist kein Ordner für Inhalte eingerichtet.")
        case .forbiddenPath:
            Phrase(
                "This file name isn’t allowed.", fr: "Ce nom de fichier n’est pas permis.",
                pt: "Este nome de arquivo não é permitido.", zh: "不允許此檔名。", de: "Dieser Dateiname ist nicht erlaubt.")
        case .fileNotFound:
            Phrase(
                "There is no such file.", fr: "Ce fichier n’existe pas.", pt: "Esse arquivo não existe.", zh: "沒有此檔案。",
                de: "Diese Datei gibt es nicht.")
        case .unreadable:
            Phrase(
                "The file can’t be read or written.", fr: "Impossible de lire ou d’écrire le fichier.",
                pt: "Não é possível ler ou gravar o arquivo.", zh: "無法讀取或寫入檔案。",
                de: "Die Datei lässt sich nicht lesen oder schreiben.")
        }
    }
}

extension DeliveryError.Code {
    /// The refusal in a sentence, without its particulars.
    var phrase: Phrase {
        switch self {
        case .malformedRequest:
            Phrase(
                "This value isn’t allowed here.", fr: "Cette valeur n’est pas permise ici.",
                pt: "Este valor não é permitido aqui.", zh: "此處不允許這個值。", de: "Dieser Wert ist hier nicht erlaubt.")
        case .appNotFound:
            Phrase(
                "The content server doesn’t know this app.", fr: "Le serveur de contenu ne connaît pas cette app.",
                pt: "O servidor de conteúdo não conhece este app.", zh: "內容伺服器不認得此 App。",
                de: "Der Inhaltsserver kennt diese App nicht.")
        case .unauthorized:
            Phrase(
                "The content server doesn’t know these credentials.",
                fr: "Le serveur de contenu ne reconnaît pas ces identifiants.",
                pt: "O servidor de conteúdo não reconhece estas credenciais.", zh: "內容伺服器不認得這些憑證。",
                de: "Der Inhaltsserver kennt diese Zugangsdaten nicht.")
        case .receiptInvalid:
            Phrase(
                "The store refused the receipt.", fr: "Le store a refusé le reçu.", pt: "A loja recusou o recibo.",
                zh: "商店拒絕此收據。", de: "Der Store hat den Beleg abgelehnt.")
        case .receiptForAnotherApp:
            Phrase(
                "The receipt belongs to another app.", fr: "Le reçu est celui d’une autre app.",
                pt: "O recibo é de outro app.", zh: "收據屬於其他 App。", de: "Der Beleg gehört zu einer anderen App.")
        case .receiptForAnotherDevice:
            Phrase(
                "The receipt belongs to another device.", fr: "Le reçu est celui d’un autre appareil.",
                pt: "O recibo é de outro dispositivo.", zh: "收據屬於其他裝置。", de: "Der Beleg gehört zu einem anderen Gerät.")
        case .sandboxReceiptRefused:
            Phrase(
                "The content server takes no sandbox receipts.",
                fr: "Le serveur de contenu n’accepte pas de reçus Sandbox.",
                pt: "O servidor de conteúdo não aceita recibos do Sandbox.", zh: "內容伺服器不接受沙箱收據。",
                de: "Der Inhaltsserver nimmt keine Sandbox-Belege an.")
        case .sharedSecretWrong:
            Phrase(
                "The shared secret is wrong.", fr: "Le secret partagé est incorrect.",
                pt: "O segredo compartilhado está errado.", zh: "共享密鑰錯誤。", de: "Das Shared Secret ist falsch.")
        case .storeUnavailable:
            Phrase(
                "The store gave no usable answer. Try again.",
                fr: "Le store n’a pas donné de réponse utilisable. Réessayez.",
                pt: "A loja não deu resposta utilizável. Tente de novo.", zh: "商店未給出有效回應，請再試一次。",
                de: "Der Store gab keine brauchbare Antwort. Versuchen Sie es noch einmal.")
        case .notGranted:
            Phrase(
                "The content isn’t granted.", fr: "L’accès au contenu n’est pas accordé.",
                pt: "O acesso ao conteúdo não foi concedido.", zh: "未授權此內容。",
                de: "Der Zugriff auf den Inhalt ist nicht gewährt.")
        case .contentNotFound:
            Phrase(
                "There is no such content.", fr: "Ce contenu n’existe pas.", pt: "Esse conteúdo não existe.",
                zh: "沒有此內容。", de: "Diesen Inhalt gibt es nicht.")
        case .notificationInvalid:
            Phrase(
                "The notification isn’t valid.", fr: "La notification n’est pas valide.",
                pt: "A notificação não é válida.", zh: "通知無效。", de: "Die Mitteilung ist ungültig.")
        case .notificationsNotSetUp:
            Phrase(
                "Notifications aren’t set up on the content server.",
                fr: "Les notifications ne sont pas configurées sur le serveur de contenu.",
                pt: "As notificações não estão configuradas no servidor de conteúdo.", zh: "內容伺服器尚未設定通知。",
                de: "Mitteilungen sind auf dem Inhaltsserver nicht eingerichtet.")
        }
    }
}
