/// Refusals about team, roles, keys and signing in.
extension RefusalSentences {
    static let team: [Phrase] = [
        Phrase(
            "A user has at least one of the roles %1.", fr: "Un utilisateur a au moins l’un des rôles %1.",
            pt: "Um usuário tem ao menos uma das funções %1.", zh: "使用者至少須有以下一個角色：%1。",
            de: "Ein Benutzer hat mindestens eine der Rollen %1."),
        Phrase(
            "The user sees all apps: set allAppsVisible to false to choose some.",
            fr:
                "Cette personne voit toutes les apps\u{202F}: désactivez d’abord «\u{202F}Toutes les apps\u{202F}» pour en choisir.",
            pt: "O usuário vê todos os apps: desative “todos os apps” para escolher alguns.",
            zh: "使用者可看到所有 App，請先關閉「所有 App」再選擇。",
            de: "Der Benutzer sieht alle Apps: Schalten Sie „Alle Apps“ aus, um einige zu wählen."),
        Phrase(
            "A user with the role %1 sees all apps.", fr: "Une personne avec le rôle %1 voit toutes les apps.",
            pt: "Um usuário com a função %1 vê todos os apps.", zh: "角色為 %1 的使用者可看到所有 App。",
            de: "Ein Benutzer mit der Rolle %1 sieht alle Apps."),
        Phrase(
            "A user who doesn't see all apps sees at least one.", fr: "Choisissez au moins une app.",
            pt: "Escolha ao menos um app.", zh: "請至少選擇一個 App。", de: "Wählen Sie mindestens eine App."),
        Phrase(
            "%1 needs the role GENERATE_INDIVIDUAL_KEYS, ADMIN or ACCOUNT_HOLDER for a key.",
            fr: "%1 a besoin du rôle GENERATE_INDIVIDUAL_KEYS, ADMIN ou ACCOUNT_HOLDER pour avoir une clé.",
            pt: "%1 precisa da função GENERATE_INDIVIDUAL_KEYS, ADMIN ou ACCOUNT_HOLDER para ter uma chave.",
            zh: "%1 須有 GENERATE_INDIVIDUAL_KEYS、ADMIN 或 ACCOUNT_HOLDER 角色才能取得金鑰。",
            de: "%1 braucht für einen Schlüssel die Rolle GENERATE_INDIVIDUAL_KEYS, ADMIN oder ACCOUNT_HOLDER."),
        Phrase(
            "'%1' is not an email address.", fr: "«\u{202F}%1\u{202F}» n’est pas une adresse e-mail.",
            pt: "“%1” não é um endereço de e-mail.", zh: "「%1」不是電子郵件地址。", de: "„%1“ ist keine E-Mail-Adresse."),
        Phrase(
            "A name has 1 to %1 characters.", fr: "Un nom a de 1 à %1 caractères.",
            pt: "Um nome tem de 1 a %1 caracteres.", zh: "名稱須為 1 到 %1 個字元。", de: "Ein Name hat 1 bis %1 Zeichen."),
        Phrase(
            "The account holder keeps the role ACCOUNT_HOLDER until it is transferred.",
            fr: "Le titulaire du compte garde le rôle ACCOUNT_HOLDER jusqu’à son transfert.",
            pt: "O titular da conta mantém a função ACCOUNT_HOLDER até ela ser transferida.",
            zh: "帳號持有人在轉移之前保有 ACCOUNT_HOLDER 角色。",
            de: "Der Account-Inhaber behält die Rolle ACCOUNT_HOLDER, bis sie übertragen wird."),
        Phrase(
            "The role ACCOUNT_HOLDER is transferred by the account holder, not given.",
            fr: "Le rôle ACCOUNT_HOLDER n’est pas attribué\u{202F}: le titulaire du compte le transfère.",
            pt: "A função ACCOUNT_HOLDER não é dada: o titular da conta a transfere.",
            zh: "ACCOUNT_HOLDER 角色須由帳號持有人轉移，無法指派。",
            de: "Die Rolle ACCOUNT_HOLDER wird nicht vergeben: Der Account-Inhaber überträgt sie."),
        Phrase(
            "There is no user '%1'.", fr: "Il n’y a pas d’utilisateur «\u{202F}%1\u{202F}».",
            pt: "Não há o usuário “%1”.", zh: "沒有使用者「%1」。", de: "Es gibt keinen Benutzer „%1“."),
        Phrase(
            "The account holder can't be removed: transfer the role first.",
            fr: "Le titulaire du compte ne peut pas être retiré\u{202F}: transférez d’abord le rôle.",
            pt: "O titular da conta não pode ser removido: transfira a função primeiro.", zh: "無法移除帳號持有人，請先轉移角色。",
            de: "Der Account-Inhaber kann nicht entfernt werden: Übertragen Sie zuerst die Rolle."),
        Phrase(
            "There is no invitation '%1', or it has expired.",
            fr: "L’invitation «\u{202F}%1\u{202F}» n’existe pas ou a expiré.",
            pt: "O convite “%1” não existe ou expirou.", zh: "邀請「%1」不存在或已過期。",
            de: "Die Einladung „%1“ gibt es nicht, oder sie ist abgelaufen."),
        Phrase(
            "'%1' is a user already.", fr: "«\u{202F}%1\u{202F}» est déjà un utilisateur.", pt: "“%1” já é um usuário.",
            zh: "「%1」已是使用者。", de: "„%1“ ist schon ein Benutzer."),
        Phrase(
            "'%1' is invited already.", fr: "«\u{202F}%1\u{202F}» est déjà invité.", pt: "“%1” já foi convidado.",
            zh: "「%1」已受邀請。", de: "„%1“ ist schon eingeladen."),
        Phrase(
            "There is no resource of type 'apps' with id '%1'.", fr: "Il n’y a pas d’app «\u{202F}%1\u{202F}».",
            pt: "Não há o app “%1”.", zh: "沒有 App「%1」。", de: "Es gibt keine App „%1“."),
        Phrase(
            "a key has at least one role", fr: "Une clé a au moins un rôle.", pt: "Uma chave tem ao menos uma função.",
            zh: "金鑰至少須有一個角色。", de: "Ein Schlüssel hat mindestens eine Rolle."),
        Phrase(
            "a team key can't have the role %1: users have it",
            fr: "Une clé d’équipe ne peut pas avoir le rôle %1, réservé aux utilisateurs.",
            pt: "Uma chave de equipe não pode ter a função %1, que é de usuários.", zh: "團隊金鑰不能有 %1 角色，該角色僅限使用者。",
            de: "Ein Teamschlüssel kann die Rolle %1 nicht haben; nur Benutzer haben sie."),
        Phrase(
            "the team has no such user", fr: "L’équipe n’a pas cet utilisateur.", pt: "A equipe não tem esse usuário.",
            zh: "團隊沒有此使用者。", de: "Das Team hat diesen Benutzer nicht."),
        Phrase(
            "there is no such key", fr: "Cette clé n’existe pas.", pt: "Essa chave não existe.", zh: "沒有此金鑰。",
            de: "Diesen Schlüssel gibt es nicht."),
        Phrase(
            "this store has no app with that bundle ID", fr: "Ce store n’a pas d’app avec cet identifiant de lot.",
            pt: "Esta loja não tem app com esse ID de pacote.", zh: "此商店沒有該套件 ID 的 App。",
            de: "Dieser Store hat keine App mit dieser Bundle-ID."),
        Phrase(
            "the name or the password is wrong", fr: "Le nom ou le mot de passe est incorrect.",
            pt: "O nome ou a senha está errado.", zh: "名稱或密碼錯誤。", de: "Der Name oder das Passwort ist falsch."),
        Phrase(
            "the link was used before, or it has expired: ask for another one",
            fr: "Ce lien a déjà servi ou a expiré\u{202F}: demandez-en un autre.",
            pt: "O link já foi usado ou expirou: peça outro.", zh: "連結已使用過或已過期，請索取新的連結。",
            de: "Der Link wurde schon benutzt oder ist abgelaufen: Bitten Sie um einen neuen."),
        Phrase(
            "a password has at least %1 characters", fr: "Un mot de passe a au moins %1 caractères.",
            pt: "Uma senha tem ao menos %1 caracteres.", zh: "密碼至少須有 %1 個字元。",
            de: "Ein Passwort hat mindestens %1 Zeichen."),
        Phrase(
            "a password has at most %1 bytes of UTF-8", fr: "Un mot de passe a %1 octets UTF-8 au plus.",
            pt: "Uma senha tem no máximo %1 bytes em UTF-8.", zh: "密碼最多 %1 個 UTF-8 位元組。",
            de: "Ein Passwort hat höchstens %1 Byte in UTF-8."),
        Phrase(
            "a password has 1 to %1 bytes of UTF-8", fr: "Un mot de passe a de 1 à %1 octets UTF-8.",
            pt: "Uma senha tem de 1 a %1 bytes em UTF-8.", zh: "密碼須為 1 到 %1 個 UTF-8 位元組。",
            de: "Ein Passwort hat 1 bis %1 Byte in UTF-8."),
        Phrase(
            "there is no user %1 in the team", fr: "Il n’y a pas d’utilisateur %1 dans l’équipe.",
            pt: "Não há o usuário %1 na equipe.", zh: "團隊中沒有使用者 %1。", de: "Im Team gibt es keinen Benutzer %1."),
        Phrase(
            "too many sign in at once; send the same request again in %1 s",
            fr: "Trop de connexions à la fois\u{202F}; réessayez dans %1 s.",
            pt: "Muitas entradas ao mesmo tempo; tente de novo em %1 s.", zh: "同時登入人數過多，請於 %1 秒後再試。",
            de: "Zu viele melden sich zugleich an; versuchen Sie es in %1 s noch einmal."),
        Phrase(
            "too many wrong passwords; try again in %1 s",
            fr: "Trop de mots de passe incorrects\u{202F}; réessayez dans %1 s.",
            pt: "Muitas senhas erradas; tente de novo em %1 s.", zh: "密碼錯誤次數過多，請於 %1 秒後再試。",
            de: "Zu viele falsche Passwörter; versuchen Sie es in %1 s noch einmal."),
    ]
}
