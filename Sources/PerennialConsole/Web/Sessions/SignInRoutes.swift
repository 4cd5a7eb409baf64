import HTTPTypes
import Hummingbird
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage

/// Signing in and out, choosing a password and a language. Of these, only signing out and the language need a session.
struct SignInRoutes: Sendable {
    /// The longest form here, in bytes.
    private static let maximumLength = 8_192
    private static let languageLifetime: Int64 = 365 * 86_400

    let console: ConsoleRouter

    func add(to router: Router<BasicConnectionContext>) {
        on(router, .get, ConsoleRouter.entrance, enter)
        on(router, .get, "/console/sign-in", signInPage)
        on(router, .post, "/console/sign-in", signIn)
        on(router, .get, "/console/password", passwordPage)
        on(router, .post, "/console/password", choosePassword)
        on(router, .post, "/console/sign-out") { try await signOut($0, everywhere: false) }
        on(router, .post, "/console/sign-out-everywhere") { try await signOut($0, everywhere: true) }
        on(router, .post, "/console/language", chooseLanguage)
    }

    private func on(
        _ router: Router<BasicConnectionContext>, _ method: HTTPRequest.Method, _ path: String,
        _ make: @escaping @Sendable (ConsoleVisit) async throws -> Response
    ) {
        router.on(RouterPath(path), method: method) { request, context in
            try await console.answer(request, context, make)
        }
    }

    private var now: Instant { console.services.wallClock() }

    // MARK: One-time links

    /// Signs in by the code of a one-time link, or leads to the console.
    private func enter(_ visit: ConsoleVisit) async throws -> Response {
        // A client that asks for the head only, or a browser that is signed in, doesn't use the link up.
        guard let code = visit.query["code"], visit.session == nil, visit.request.method == .get else {
            return ConsoleResponse.redirect(to: ConsolePath.root)
        }
        do {
            let token = try await console.accounts.signIn(link: code, from: visit.address)
            await succeeded(visit, "operator")
            return signedIn(token, visit, to: ConsolePath.root)
        } catch let refusal as PasswordRefusal {
            await refused(visit, "too many", actor: "")
            let error = SignInPages.text(refusal)
            return page(SignInPages.signIn(visit, now, returningTo: "", error: error), refusedBy: refusal)
        } catch ConsoleSignInError.linkInvalid {
            await refused(visit, "link", actor: "")
            let notice = Notice(
                status: .bad, text: .phrase(SignInPhrases.linkInvalid),
                advice: .phrase(SignInPhrases.linkInvalidAdvice))
            return page(SignInPages.signIn(visit, now, returningTo: "", notice: notice), status: 403)
        }
    }

    private func succeeded(_ visit: ConsoleVisit, _ actor: String) async {
        console.refusals.end(from: visit.address)
        await console.record(visit, .done, action: "sign-in", actor: actor)
    }

    /// Adds a refused sign-in to the audit log, if it begins a run of such refusals.
    private func refused(_ visit: ConsoleVisit, _ subject: String, actor: String) async {
        guard console.refusals.begins(subject, from: visit.address, at: now) else { return }
        await console.record(visit, .denied, action: "sign-in", actor: actor)
    }

    private func signedIn(_ token: String, _ visit: ConsoleVisit, to path: String) -> Response {
        var response = ConsoleResponse.redirect(to: path)
        response.set(
            visit.cookies.setting(.session, to: token, lifetime: ConsoleSession.lifetime / .seconds(1)))
        return response
    }

    // MARK: Passwords

    private func signInPage(_ visit: ConsoleVisit) async throws -> Response {
        let path = Self.safe(visit.query["return"] ?? "")
        guard visit.session == nil else { return ConsoleResponse.redirect(to: path.isEmpty ? ConsolePath.root : path) }
        return page(SignInPages.signIn(visit, now, returningTo: path))
    }

    private func signIn(_ visit: ConsoleVisit) async throws -> Response {
        guard SiteCheck.isOwn(visit.request) else { throw ConsoleError.forged }
        let values = try await visit.request.form(upTo: Self.maximumLength)
        let name = values["email"].lowercased()
        let path = Self.safe(values["return"])
        do {
            let token = try await console.accounts.signIn(
                name, password: values.all("password").last ?? "", from: visit.address)
            await succeeded(visit, name)
            return signedIn(token, visit, to: path.isEmpty ? ConsolePath.root : path)
        } catch ConsoleSignInError.wrong {
            await refused(visit, "password \(name.prefix(200))", actor: name)
            return page(
                SignInPages.signIn(
                    visit, now, returningTo: path, email: name, error: .phrase(SignInPhrases.wrong)), status: 401)
        } catch let refusal as PasswordRefusal {
            await refused(visit, "too many", actor: name)
            let error = SignInPages.text(refusal)
            return page(
                SignInPages.signIn(visit, now, returningTo: path, email: name, error: error), refusedBy: refusal)
        }
    }

    private func passwordPage(_ visit: ConsoleVisit) async throws -> Response {
        let code = visit.query["code"] ?? ""
        guard let user = try await console.accounts.userName(ofLink: code) else { return linkInvalid(visit) }
        return page(SignInPages.choosePassword(visit, now, code: code, user: user))
    }

    private func choosePassword(_ visit: ConsoleVisit) async throws -> Response {
        guard SiteCheck.isOwn(visit.request) else { throw ConsoleError.forged }
        let values = try await visit.request.form(upTo: Self.maximumLength)
        let code = values["code"]
        guard let user = try await console.accounts.userName(ofLink: code) else { return linkInvalid(visit) }
        do {
            let name = try await console.accounts.setPassword(
                values.all("password").last ?? "", link: code, from: visit.address)
            await console.record(visit, .done, action: "password", actor: name)
            let notice = Notice(status: .good, text: .phrase(SignInPhrases.passwordSet))
            return page(SignInPages.signIn(visit, now, returningTo: "", email: name, notice: notice))
        } catch ConsoleSignInError.passwordTooShort(let minimum) {
            return again(visit, code, user, .phrase(SignInPhrases.passwordHint, .number(minimum)))
        } catch ConsoleSignInError.passwordTooLong(let maximum) {
            return again(visit, code, user, .phrase(SignInPhrases.passwordTooLong, .number(maximum)))
        } catch ConsoleSignInError.linkInvalid {
            return linkInvalid(visit)
        } catch let refusal as PasswordRefusal {
            return page(
                SignInPages.choosePassword(visit, now, code: code, user: user, error: SignInPages.text(refusal)),
                refusedBy: refusal)
        }
    }

    private func again(_ visit: ConsoleVisit, _ code: String, _ user: String, _ error: Text) -> Response {
        page(SignInPages.choosePassword(visit, now, code: code, user: user, error: error), status: 422)
    }

    private func linkInvalid(_ visit: ConsoleVisit) -> Response {
        let notice = Notice(status: .bad, text: .phrase(SignInPhrases.linkInvalid))
        return page(SignInPages.signIn(visit, now, returningTo: "", notice: notice), status: 403)
    }

    // MARK: Out, language

    private func signOut(_ visit: ConsoleVisit, everywhere: Bool) async throws -> Response {
        guard let session = visit.session else { return ConsoleResponse.redirect(to: "/console/sign-in") }
        let values = try await visit.request.form(upTo: Self.maximumLength)
        try visit.check(formToken: values["form-token"])
        if everywhere {
            try await console.accounts.signOutEverywhere(session)
        } else {
            try await console.accounts.signOut(session)
        }
        await console.record(visit, .done, action: everywhere ? "sign-out everywhere" : "sign-out")
        let notice = Notice(status: .good, text: .phrase(SignInPhrases.signedOut))
        var response = page(SignInPages.signIn(visit, now, returningTo: "", notice: notice))
        response.set(visit.cookies.setting(.session, to: "", lifetime: 0))
        return response
    }

    private func chooseLanguage(_ visit: ConsoleVisit) async throws -> Response {
        guard SiteCheck.isOwn(visit.request) else { throw ConsoleError.forged }
        let values = try await visit.request.form(upTo: Self.maximumLength)
        let path = console.pagePath(ofAddress: Self.safe(visit.refererPath))
        var response = ConsoleResponse.redirect(to: path.isEmpty ? ConsolePath.root : path)
        if let language = Language(rawValue: values["language"]) {
            response.set(
                visit.cookies.setting(.language, to: language.rawValue, lifetime: Self.languageLifetime))
        }
        return response
    }

    // MARK: Answers

    private func page(_ page: BarePage, status: Int = 200) -> Response {
        console.note(status: status, page.title, page.blocks)
        return ConsoleResponse.html(console.renderer.html(page), status: status)
    }

    private func page(_ bare: BarePage, refusedBy refusal: PasswordRefusal) -> Response {
        var response = page(bare, status: refusal.code == .overloaded ? 503 : 429)
        response.headers[.retryAfter] = "\(refusal.retryAfter)"
        return response
    }

    /// Returns a path of the console; empty for any other: a link to the sign-in page leads nowhere else.
    private static func safe(_ path: String) -> String {
        let isSafe = path.hasPrefix(ConsolePath.root + "/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isSafe && !path.contains("\\") && !path.contains("//") ? path : ""
    }
}
