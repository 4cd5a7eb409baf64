/// The words of the pages about the team.
enum TeamPhrases {
    static let team = Phrase(
        "Users and Access", fr: "Utilisateurs et accès", pt: "Usuários e acesso", zh: "使用者與存取權限",
        de: "Benutzer und Zugriff")
    static let email = Phrase(
        "E-mail", fr: "Adresse e-mail", pt: "Endereço de e-mail", zh: "電子郵件", de: "E-Mail-Adresse")
    static let invitations = Phrase(
        "Invitations", fr: "Invitations en cours", pt: "Convites", zh: "邀請", de: "Einladungen")
    static let expires = Phrase("Expires", fr: "Expire", pt: "Expira", zh: "到期", de: "Läuft ab")
    static let invite = Phrase("Invite", fr: "Inviter", pt: "Convidar", zh: "邀請使用者", de: "Einladen")
    static let invited = Phrase(
        "%1 is invited.", fr: "%1 est invité.", pt: "%1 foi convidado.", zh: "已邀請 %1。", de: "%1 ist eingeladen.")
    static let accept = Phrase(
        "Accept for the person", fr: "Accepter pour la personne", pt: "Aceitar pela pessoa", zh: "代為接受",
        de: "Für die Person annehmen")
    static let cancel = Phrase("Take back", fr: "Annuler", pt: "Cancelar", zh: "撤回", de: "Zurücknehmen")
    static let noUsers = Phrase(
        "The team has no users yet. Invite the first one, or create an account holder.",
        fr: "L’équipe n’a pas encore d’utilisateurs. Invitez le premier, ou créez un titulaire du compte.",
        pt: "A equipe ainda não tem usuários. Convide o primeiro ou crie um titular da conta.",
        zh: "團隊尚無使用者。請邀請第一位，或建立帳號持有人。",
        de: "Das Team hat noch keine Benutzer. Den ersten einladen oder einen Accountinhaber anlegen.")
    static let makePasswordLink = Phrase(
        "Make a password link", fr: "Créer un lien de mot de passe", pt: "Criar um link de senha", zh: "建立密碼連結",
        de: "Kennwort-Link erzeugen")
    static let passwordLink = Phrase(
        "Password link", fr: "Lien de mot de passe", pt: "Link de senha", zh: "密碼連結", de: "Kennwort-Link")
    static let passwordLinkHint = Phrase(
        "Below this server’s address. Send it to the user, who chooses a password with it once, until %1.",
        fr:
            "Sous l’adresse de ce serveur. Envoyez-le à l’utilisateur, qui choisit avec lui un mot de passe, une seule fois, jusqu’au %1.",
        pt: "Abaixo do endereço deste servidor. Envie ao usuário, que escolhe com ele uma senha, uma só vez, até %1.",
        zh: "位於此伺服器的位址之下。請傳送給使用者，於 %1 前可用它設定密碼一次。",
        de: "Unter der Adresse dieses Servers. Dem Benutzer senden, der damit bis %1 einmal ein Kennwort wählt.")
    static let sees = Phrase("Sees %1", fr: "Voit %1", pt: "Vê %1", zh: "可查看 %1", de: "Sieht %1")
    static let remove = Phrase(
        "Remove from the team", fr: "Retirer de l’équipe", pt: "Remover da equipe", zh: "從團隊移除",
        de: "Aus dem Team entfernen")
    static let removeWarning = Phrase(
        "Ends the user’s sessions and revokes the user’s keys.",
        fr: "Met fin aux sessions de l’utilisateur et révoque ses clés.",
        pt: "Encerra as sessões do usuário e revoga suas chaves.", zh: "將結束該使用者的工作階段並撤銷其金鑰。",
        de: "Beendet die Sitzungen des Benutzers und widerruft seine Schlüssel.")
    static let removed = Phrase(
        "%1 is removed from the team.", fr: "%1 est retiré de l’équipe.", pt: "%1 foi removido da equipe.",
        zh: "已將 %1 從團隊移除。",
        de: "%1 ist aus dem Team entfernt.")
}
