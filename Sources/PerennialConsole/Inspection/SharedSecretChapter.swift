import AppStoreFormats
import Perennial
import PerennialConnect

/// View or generate a shared secret.
struct SharedSecretChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("secret", .administer) { try await Self.page($0) }
        routes.form("secret", .administer) { try await Self.generate($0) }
    }

    private static func page(_ request: PageRequest, error: Text? = nil) async throws -> Page {
        let bundleID = try request.bundleID()
        let secret = try await request.services.keys.sharedSecret(of: bundleID)
        let same = SameCommand(
            "shared-secret create --app \(bundleID)", .init("POST", "control/v1/apps/\(bundleID)/shared-secret"))
        var blocks: [Block] = [KeyTabs.links(request)]
        if let secret {
            let sample = CodeSample(label: .phrase(KeyPhrases.appSpecific), text: secret)
            let form = Form(
                request.path("secret"), submit: .phrase(KeyPhrases.regenerate), error: error,
                warning: .phrase(KeyPhrases.regenerateWarning), confirmation: bundleID.rawValue, isDangerous: true,
                same: same, [])
            blocks += [
                .section(
                    .phrase(KeyPhrases.appSpecific),
                    [.code(sample), .paragraph(.phrase(KeyPhrases.secretMeaning))]),
                .details(.phrase(KeyPhrases.trySecret), [.code(Self.example(secret, request))]),
                .section(.phrase(KeyPhrases.regenerate), [.form(form)]),
            ]
        } else {
            let form = Form(request.path("secret"), submit: .phrase(KeyPhrases.generate), error: error, same: same, [])
            blocks += [
                .notice(
                    Notice(
                        status: .warning, text: .phrase(KeyPhrases.noSecret), advice: .phrase(KeyPhrases.secretMeaning))
                ),
                .form(form),
            ]
        }
        return Page(
            .phrase(KeyPhrases.sharedSecret), .keys, trail: [Link(.phrase(KeyPhrases.keys), request.path("keys"))],
            status: error == nil ? 200 : 422, blocks)
    }

    /// A request to verifyReceipt with the secret.
    private static func example(_ secret: String, _ request: PageRequest) -> CodeSample {
        CodeSample(
            label: .data("POST verifyReceipt"), text: #"{"receipt-data": "…", "password": "\#(secret)"}"#)
    }

    private static func generate(_ form: FormRequest) async throws -> FormAnswer {
        let bundleID = try form.page.bundleID()
        let keys = form.page.services.keys
        // A first secret replaces none, and needs no confirmation.
        if try await keys.sharedSecret(of: bundleID) != nil, form.values["confirmation"] != bundleID.rawValue {
            return .page(
                try await page(form.page, error: .phrase(KeyPhrases.confirmationWrong, .data(bundleID.rawValue))))
        }
        _ = try await keys.makeSharedSecret(of: bundleID)
        return .redirect(form.page.path("secret"), .phrase(KeyPhrases.secretMade))
    }
}
