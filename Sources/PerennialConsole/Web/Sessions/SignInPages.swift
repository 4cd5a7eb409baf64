import Perennial
import PerennialConnect
import PerennialStorage

/// The pages of a visitor who isn't signed in.
enum SignInPages {
    /// - Parameter returning: The path to go to once signed in; empty for the first page.
    static func signIn(
        _ visit: ConsoleVisit, _ now: Instant, returningTo path: String, email: String = "", error: Text? = nil,
        notice: Notice? = nil
    ) -> BarePage {
        let form = Form(
            "/console/sign-in", submit: .phrase(SignInPhrases.signIn), error: error,
            [
                Field("email", .phrase(SignInPhrases.email), value: email, isRequired: true, maximumLength: 254),
                Field("password", .phrase(SignInPhrases.password), .password, isRequired: true),
                .hidden("return", path),
            ])
        return BarePage(
            title: .phrase(SignInPhrases.signInTitle),
            blocks: (notice.map { [.notice($0)] } ?? []) + [
                .form(form), .paragraph(.phrase(SignInPhrases.operatorHint)), .same(SameCommand("open")),
            ], language: visit.language, now: now)
    }

    static func choosePassword(
        _ visit: ConsoleVisit, _ now: Instant, code: String, user: String, error: Text? = nil
    ) -> BarePage {
        let minimum = Text.phrase(SignInPhrases.passwordHint, .number(ConsoleAccounts.minimumPasswordLength))
        let form = Form(
            "/console/password", submit: .phrase(Words.save),
            [
                Field(
                    "password", .phrase(SignInPhrases.password), .password, hint: minimum, error: error,
                    isRequired: true),
                .hidden("code", code),
            ])
        return BarePage(
            title: .phrase(SignInPhrases.choosePassword),
            blocks: [.paragraph(.phrase(SignInPhrases.forUser, .data(user))), .form(form)], language: visit.language,
            now: now)
    }

    /// Returns the text of a refused sign-in.
    static func text(_ refusal: PasswordRefusal) -> Text {
        switch refusal.code {
        case .tooManyGuesses: .phrase(SignInPhrases.tooManyGuesses, .number(refusal.retryAfter))
        case .overloaded: .phrase(SignInPhrases.overloaded, .number(refusal.retryAfter))
        }
    }
}
