import Perennial
import PerennialConnect

/// The seller's team: users with their roles, and invitations.
struct TeamChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("team", .administer) { try await Self.list($0) }
        routes.form("team", .administer) { try await Self.invite($0) }
        routes.form("team/invitations/cancel", .administer) { try await Self.cancel($0) }
        routes.form("team/invitations/accept", .administer) { try await Self.accept($0) }
        routes.page("team/:user", .administer) { try await Self.user($0) }
        routes.form("team/:user", .administer) { try await Self.save($0) }
        routes.form("team/:user/remove", .administer) { try await Self.remove($0) }
        routes.form("team/:user/password-link", .administer) { try await Self.makePasswordLink($0) }
    }

    // MARK: - The list

    private static func list(
        _ request: PageRequest, _ values: FormValues? = nil, error: CatalogEditError? = nil
    ) async throws -> Page {
        let (after, afterInvitation) = (request.query["after"] ?? "", request.query["invitations"] ?? "")
        let (users, invitations) = try await request.services.keys.team.read { team in
            (
                try team.users(after: after, limit: pageSize + 1),
                try team.invitations(after: afterInvitation, limit: pageSize + 1)
            )
        }
        var blocks: [Block] = [.table(table(of: users, request))]
        if !invitations.isEmpty || !afterInvitation.isEmpty {
            blocks.append(.section(.phrase(TeamPhrases.invitations), [.table(table(of: invitations, request))]))
        }
        let refusal = error.flatMap { Refusal($0) }
        func text(at field: String) -> Text? { refusal?.field == field ? refusal?.text : nil }
        let isOfField = ["email", "firstName", "lastName"].contains(refusal?.field)
        let form = Form(
            request.path("team"), submit: .phrase(TeamPhrases.invite),
            error: isOfField ? nil : error.map { RefusalText.reasons(of: $0) },
            same: SameCommand(
                "users invitations create EMAIL --first-name NAME --last-name NAME --role developer",
                .init("POST", "control/v1/user-invitations", #"{"username": "…", "roles": ["DEVELOPER"]}"#)),
            [
                Field(
                    "email", .phrase(TeamPhrases.email), value: values?["email"] ?? "", error: text(at: "email"),
                    isRequired: true, maximumLength: 254),
                Field(
                    "firstName", .phrase(TesterPhrases.firstName), value: values?["firstName"] ?? "",
                    error: text(at: "firstName"), isRequired: true, maximumLength: 100),
                Field(
                    "lastName", .phrase(TesterPhrases.lastName), value: values?["lastName"] ?? "",
                    error: text(at: "lastName"), isRequired: true, maximumLength: 100),
            ] + boxes(ticked: values.map(roles) ?? []))
        blocks.append(.section(.phrase(TeamPhrases.invite), [.form(form)]))
        return Page(.phrase(TeamPhrases.team), .team, status: error == nil ? 200 : 422, blocks)
    }

    /// Returns the path of a page of the users or of the invitations; the other table stays where it is.
    private static func path(_ request: PageRequest, after: String? = nil, invitations: String? = nil) -> String {
        request.path(
            "team",
            [
                "after": after ?? request.query["after"] ?? "",
                "invitations": invitations ?? request.query["invitations"] ?? "",
            ])
    }

    private static func table(of users: [TeamUser], _ request: PageRequest) -> Table {
        Table(
            caption: .phrase(TeamPhrases.team),
            columns: [
                Table.Column(.phrase(Words.name), .leading, .primary),
                Table.Column(.phrase(KeyPhrases.roles), .leading, .primary),
                Table.Column(.phrase(TeamPhrases.email)),
                Table.Column(.phrase(Words.apps)),
            ],
            rows: users.prefix(pageSize).map { user in
                Table.Row([
                    Cell(.data("\(user.firstName) \(user.lastName)"), path: request.path("team/\(user.id)")),
                    Cell(.list(RolePhrases.names(of: user.access.roles))), Cell(.data(user.username)),
                    apps(of: user.access, request),
                ])
            },
            next: users.count > pageSize ? path(request, after: users[pageSize - 1].username) : nil,
            first: request.query["after"].map { _ in path(request, after: "") },
            empty: EmptyState(
                text: .phrase(TeamPhrases.noUsers),
                same: SameCommand("users create EMAIL --first-name NAME --last-name NAME --role account-holder")))
    }

    private static func apps(of access: TeamAccess, _ request: PageRequest) -> Cell {
        guard !access.allAppsVisible else { return Cell(.phrase(Words.all)) }
        return Cell(.list(request.apps.filter { access.visibleApps.contains($0.appleID) }.map { .data($0.name) }))
    }

    private static func table(of invitations: [TeamInvitation], _ request: PageRequest) -> Table {
        Table(
            caption: .phrase(TeamPhrases.invitations),
            columns: [
                Table.Column(.phrase(TeamPhrases.email), .leading, .primary),
                Table.Column(.phrase(KeyPhrases.roles), .leading, .primary),
                Table.Column(.phrase(TeamPhrases.expires)),
            ],
            rows: invitations.prefix(pageSize).map { invitation in
                Table.Row(
                    [
                        Cell(.data(invitation.email)), Cell(.list(RolePhrases.names(of: invitation.access.roles))),
                        Cell(.exact(invitation.expires)),
                    ],
                    actions: [
                        .post(
                            .phrase(TeamPhrases.accept), path: request.path("team/invitations/accept"),
                            fields: ["id": invitation.id],
                            same: SameCommand(
                                "users invitations accept \(invitation.email)",
                                .init("POST", "control/v1/user-invitations/\(invitation.id)/accept"))),
                        .post(
                            .phrase(TeamPhrases.cancel), path: request.path("team/invitations/cancel"),
                            fields: ["id": invitation.id], isDangerous: true,
                            same: SameCommand(
                                "users invitations cancel \(invitation.email)",
                                .init("DELETE", "control/v1/user-invitations/\(invitation.id)"))),
                    ])
            },
            next: invitations.count > pageSize ? path(request, invitations: invitations[pageSize - 1].email) : nil,
            first: request.query["invitations"].map { _ in path(request, invitations: "") })
    }

    private static func boxes(ticked: Set<ConnectRole>, isHolder: Bool = false) -> [Field] {
        ConnectRole.allCases.filter { $0 != .accountHolder || isHolder }.map { role in
            Field(
                "role-\(role.rawValue)", .phrase(RolePhrases.name(of: role)), .box,
                value: ticked.contains(role) ? "on" : "")
        }
    }

    private static func roles(_ values: FormValues) -> Set<ConnectRole> {
        Set(ConnectRole.allCases.filter { values.isTicked("role-\($0.rawValue)") })
    }

    private static func invite(_ form: FormRequest) async throws -> FormAnswer {
        let person = TeamPerson(
            email: form.values["email"], firstName: form.values["firstName"], lastName: form.values["lastName"])
        let access = TeamAccess(roles: roles(form.values))
        do {
            _ = try await form.page.services.keys.team.edit { try $0.invite(person, access: access) }
        } catch let error as CatalogEditError {
            return .page(try await list(form.page, form.values, error: error))
        }
        return .redirect(form.page.path("team"), .phrase(TeamPhrases.invited, .data(person.email)))
    }

    private static func cancel(_ form: FormRequest) async throws -> FormAnswer {
        let id = form.values["id"]
        try await form.page.services.keys.team.edit { try $0.cancelInvitation(id) }
        return .redirect(form.page.path("team"), .phrase(TesterPhrases.saved))
    }

    private static func accept(_ form: FormRequest) async throws -> FormAnswer {
        let id = form.values["id"]
        let user = try await form.page.services.keys.team.edit { try $0.accept(id) }
        return .redirect(form.page.path("team/\(user.id)"), .phrase(TesterPhrases.saved))
    }

    // MARK: - One user

    private static func user(
        _ request: PageRequest, error: CatalogEditError? = nil, removalError: Text? = nil, link: ConsoleLink? = nil
    ) async throws -> Page {
        let name = request.parameter("user")
        let user = try await request.services.keys.team.read { try $0.found(name) }
        let passwordLink: [Block] =
            if let link {
                [
                    .code(CodeSample(label: .phrase(TeamPhrases.passwordLink), text: link.path)),
                    .paragraph(.phrase(TeamPhrases.passwordLinkHint, .exact(link.expires))),
                ]
            } else {
                []
            }
        var fields = boxes(ticked: user.access.roles, isHolder: user.isAccountHolder)
        fields += request.apps.map { app in
            Field(
                "app-\(app.appleID)", .phrase(TeamPhrases.sees, .data(app.name)), .box,
                value: user.access.allAppsVisible || user.access.visibleApps.contains(app.appleID) ? "on" : "")
        }
        let form = Form(
            request.path("team/\(user.id)"), submit: .phrase(Words.save),
            error: error.map { RefusalText.reasons(of: $0) },
            same: SameCommand(
                "users edit \(user.username) --role developer", .init("POST", "control/v1/users/\(user.id)")), fields)
        var blocks = passwordLink
        blocks += [
            .facts([
                Fact(.phrase(TeamPhrases.email), Cell(.data(user.username))),
                Fact(.phrase(KeyPhrases.created), Cell(.exact(user.created))),
            ]), .form(form),
            .actions([
                .post(
                    .phrase(TeamPhrases.makePasswordLink), path: request.path("team/\(user.id)/password-link"),
                    same: SameCommand(
                        "users password create-link \(user.username)",
                        .init("POST", "control/v1/users/\(user.id)/password-link")))
            ]),
        ]
        if !user.isAccountHolder {
            let removal = Form(
                request.path("team/\(user.id)/remove"), submit: .phrase(TeamPhrases.remove), error: removalError,
                warning: .phrase(TeamPhrases.removeWarning), confirmation: user.username, isDangerous: true,
                same: SameCommand("users delete \(user.username)", .init("DELETE", "control/v1/users/\(user.id)")), [])
            blocks.append(.section(.phrase(TeamPhrases.remove), [.form(removal)]))
        }
        return Page(
            .data("\(user.firstName) \(user.lastName)"), .team,
            trail: [Link(.phrase(TeamPhrases.team), request.path("team"))],
            status: error == nil && removalError == nil ? 200 : 422, blocks)
    }

    private static func save(_ form: FormRequest) async throws -> FormAnswer {
        let name = form.page.parameter("user")
        let visible = form.page.apps.filter { form.values.isTicked("app-\($0.appleID)") }.map(\.appleID)
        let allVisible = visible.count == form.page.apps.count
        let roles = roles(form.values)
        let change = TeamAccess.Change(
            roles: roles, allAppsVisible: allVisible, visibleApps: allVisible ? [] : Set(visible))
        do {
            let user = try await form.page.services.keys.team.edit { try $0.update(name, change) }
            return .redirect(form.page.path("team/\(user.id)"), .phrase(TesterPhrases.saved))
        } catch let error as CatalogEditError {
            return .page(try await user(form.page, error: error))
        }
    }

    /// Shows a link with which the user chooses a password, this once.
    private static func makePasswordLink(_ form: FormRequest) async throws -> FormAnswer {
        let name = form.page.parameter("user")
        let username = try await form.page.services.keys.team.read { try $0.found(name).username }
        let link = try await form.page.services.accounts.makePasswordLink(of: username)
        return .page(try await user(form.page, link: link))
    }

    private static func remove(_ form: FormRequest) async throws -> FormAnswer {
        let name = form.page.parameter("user")
        let team = form.page.services.keys.team
        let username = try await team.read { try $0.found(name).username }
        guard form.values["confirmation"] == username else {
            return .page(
                try await user(form.page, removalError: .phrase(KeyPhrases.confirmationWrong, .data(username))))
        }
        try await team.edit { try $0.remove(name) }
        return .redirect(form.page.path("team"), .phrase(TeamPhrases.removed, .data(username)))
    }
}
