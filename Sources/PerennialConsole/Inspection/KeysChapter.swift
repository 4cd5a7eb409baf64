import Perennial
import PerennialConnect

/// The API keys of an app's servers, and the seller's keys of the App Store Connect API.
struct KeysChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("keys", .administer) { try await Self.list($0) }
        routes.form("keys", .administer) { try await Self.create($0) }
        routes.page("keys/:key", .administer) { try await Self.key($0) }
        routes.form("keys/:key/revoke", .administer) { try await Self.revoke($0) }
    }

    private static func list(
        _ request: PageRequest, error: Text? = nil, kindError: Text? = nil, status: Int = 200
    ) async throws -> Page {
        let found = try await request.services.keys.page(
            ofApp: request.app?.appleID, after: request.query["after"], limit: pageSize + 1)
        var blocks: [Block] = [KeyTabs.links(request)]
        if let issuer = found.first?.issuerID {
            blocks.append(
                .facts([
                    Fact(
                        .phrase(KeyPhrases.issuerID), .id(issuer), definition: .phrase(KeyPhrases.issuerIDMeaning))
                ]))
        }
        blocks.append(.table(table(of: found, request)))
        if request.app != nil {
            blocks.append(.section(.phrase(KeyPhrases.createForApp), [.form(appForm(request, error: kindError))]))
        }
        blocks.append(.section(.phrase(KeyPhrases.createForTeam), [.form(teamForm(request, error: error))]))
        return Page(.phrase(KeyPhrases.keys), .keys, status: status, blocks)
    }

    private static func table(of keys: [APIKey], _ request: PageRequest) -> Table {
        Table(
            caption: .phrase(KeyPhrases.keys),
            columns: [
                Table.Column(.phrase(KeyPhrases.keyID), .leading, .primary),
                Table.Column(.phrase(KeyPhrases.opens), .leading, .primary),
                Table.Column(.phrase(KeyPhrases.roles)),
                Table.Column(.phrase(KeyPhrases.created)),
                Table.Column(
                    .phrase(KeyPhrases.lastUse), definition: .phrase(KeyPhrases.lastUseMeaning)),
                Table.Column(.phrase(Words.status)),
            ],
            rows: keys.prefix(pageSize).map { key in
                Table.Row([
                    .id(key.id, path: request.path("keys/\(key.id)")), Cell(.phrase(KeyPhrases.kind(key.kind))),
                    Cell(.list(RolePhrases.names(of: key.roles))), Cell(.time(key.created)),
                    Cell(key.lastUsed.map { .time($0) } ?? .none), status(of: key),
                ])
            },
            next: keys.count > pageSize ? request.path("keys", ["after": keys[pageSize - 1].id]) : nil,
            first: request.query["after"].map { _ in request.path("keys") },
            empty: EmptyState(text: .phrase(KeyPhrases.noKeys), same: SameCommand("keys create")))
    }

    private static func status(of key: APIKey) -> Cell {
        guard let revoked = key.revoked else { return Cell(.phrase(KeyPhrases.valid), status: .good) }
        return Cell(.phrase(KeyPhrases.revoked), status: .bad, title: .exact(revoked))
    }

    // MARK: - Creating

    private static func appForm(_ request: PageRequest, error: Text?) -> Form {
        let kinds: [APIKey.Kind] = [.serverAPI, .promotionalOffer]
        let app = request.app?.bundleID.rawValue ?? ""
        return Form(
            request.path("keys"), submit: .phrase(KeyPhrases.createAndDownload),
            same: SameCommand(
                "keys create --app \(app)",
                .init("POST", "control/v1/apps/\(app)/keys", #"{"kind": "serverAPI"}"#)),
            [
                Field(
                    "kind", .phrase(KeyPhrases.opens),
                    .choice(kinds.map { Field.Option($0.rawValue, .phrase(KeyPhrases.kind($0))) }),
                    value: APIKey.Kind.serverAPI.rawValue, hint: .phrase(KeyPhrases.downloadHint), error: error)
            ])
    }

    private static func teamForm(_ request: PageRequest, error: Text?) -> Form {
        let boxes = ConnectRole.ofKeys.map { role in
            Field("role-\(role.rawValue)", .phrase(RolePhrases.name(of: role)), .box)
        }
        return Form(
            request.path("keys"), submit: .phrase(KeyPhrases.createAndDownload), error: error,
            same: SameCommand(
                "keys create --kind connect --role admin",
                .init("POST", "control/v1/connect-keys", #"{"roles": ["ADMIN"]}"#)),
            [.hidden("kind", APIKey.Kind.connectAPI.rawValue)] + boxes)
    }

    /// Answers with the private key as a file: it is written this once.
    private static func create(_ form: FormRequest) async throws -> FormAnswer {
        let keys = form.page.services.keys
        let made: APIKeys.IssuedKey
        switch APIKey.Kind(rawValue: form.values["kind"]) {
        case .connectAPI:
            let roles = ConnectRole.ofKeys.filter { form.values.isTicked("role-\($0.rawValue)") }
            guard !roles.isEmpty else {
                return .page(try await list(form.page, error: .phrase(KeyPhrases.roleNeeded), status: 422))
            }
            made = try await keys.makeTeamKey(Set(roles))
        case .some(let kind): made = try await keys.make(kind, for: try form.page.bundleID())
        case nil:
            return .page(try await list(form.page, kindError: .phrase(RefusalPhrases.choice), status: 422))
        }
        let prefix =
            switch made.key.kind {
            case .connectAPI: "AuthKey"
            case .serverAPI, .promotionalOffer: "SubscriptionKey"
            }
        return .file(
            ConsoleFile(
                name: "\(prefix)_\(made.key.id).p8", contentType: "application/pkcs8",
                bytes: Array(made.privateKey.utf8)))
    }

    // MARK: - One key

    private static func found(_ request: PageRequest) async throws -> APIKey {
        let id = request.parameter("key")
        guard let key = try await request.services.keys.key(id, ofApp: request.app?.appleID) else {
            throw ConsoleError.notFound(.data(id))
        }
        return key
    }

    private static func key(_ request: PageRequest, error: Text? = nil) async throws -> Page {
        let key = try await found(request)
        var facts = [
            Fact(.phrase(KeyPhrases.keyID), .id(key.id), definition: .phrase(KeyPhrases.keyIDMeaning)),
            Fact(.phrase(KeyPhrases.issuerID), .id(key.issuerID), definition: .phrase(KeyPhrases.issuerIDMeaning)),
            Fact(.phrase(KeyPhrases.opens), Cell(.phrase(KeyPhrases.kind(key.kind)))),
            Fact(.phrase(KeyPhrases.created), Cell(.exact(key.created))),
            Fact(.phrase(Words.status), status(of: key)),
        ]
        if !key.roles.isEmpty {
            facts.append(Fact(.phrase(KeyPhrases.roles), Cell(.list(RolePhrases.names(of: key.roles)))))
        }
        if let user = key.teamUser { facts.append(Fact(.phrase(KeyPhrases.user), .id(user))) }
        if let revoked = key.revoked { facts.append(Fact(.phrase(KeyPhrases.revoked), Cell(.exact(revoked)))) }
        var blocks: [Block] = [.facts(facts)]
        if key.revoked == nil {
            let path = key.app == APIKey.team ? "connect-keys" : "apps/\(request.app?.bundleID.rawValue ?? "")/keys"
            let form = Form(
                request.path("keys/\(key.id)/revoke"), submit: .phrase(KeyPhrases.revoke), error: error,
                warning: .phrase(KeyPhrases.revokeWarning), confirmation: key.id, isDangerous: true,
                same: SameCommand("keys revoke \(key.id)", .init("DELETE", "control/v1/\(path)/\(key.id)")), [])
            blocks.append(.section(.phrase(KeyPhrases.revoke), [.form(form)]))
        }
        return Page(
            .data(key.id), .keys, trail: [Link(.phrase(KeyPhrases.keys), request.path("keys"))],
            status: error == nil ? 200 : 422, blocks)
    }

    private static func revoke(_ form: FormRequest) async throws -> FormAnswer {
        let key = try await found(form.page)
        guard form.values["confirmation"] == key.id else {
            return .page(try await self.key(form.page, error: .phrase(KeyPhrases.confirmationWrong, .data(key.id))))
        }
        let keys = form.page.services.keys
        if key.app == APIKey.team {
            _ = try await keys.revokeTeamKey(key.id)
        } else {
            _ = try await keys.revoke(key.id, of: try form.page.bundleID())
        }
        return .redirect(form.page.path("keys"), .phrase(KeyPhrases.isRevoked, .data(key.id)))
    }
}

/// The pages beside the keys.
enum KeyTabs {
    static func links(_ request: PageRequest) -> Block {
        .links([
            Link(.phrase(KeyPhrases.keys), request.path("keys")),
            Link(.phrase(KeyPhrases.sharedSecret), request.path("secret")),
            Link(.phrase(InspectionPhrases.certificates), request.path("certificates")),
        ])
    }
}
