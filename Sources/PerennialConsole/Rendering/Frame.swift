import Perennial

/// Parts around a page: the environment with its clock, the app, the visitor.
struct Frame: Sendable {
    var language: Language
    /// The environment's time.
    var now: Instant
    var environment: StoreEnvironment
    /// Choices of the environment switch.
    var environments: [StoreEnvironment]
    /// Choices of the app switch.
    var apps: [ConsoleApp]
    var app: ConsoleApp?
    var visitorName: String
    var permissions: Set<Permission>
    var formToken: String
    /// False for a visitor who sees some apps only.
    var seesAllApps = true

    /// - Parameter environments: All of the store's; only the request's own is shown if there are none.
    init(_ request: PageRequest, environments: [StoreEnvironment] = []) {
        language = request.language
        now = request.now
        environment = request.environment
        self.environments = environments.isEmpty ? [request.environment] : environments
        apps = request.apps
        app = request.app
        visitorName = request.visitor.displayName
        permissions = request.visitor.permissions
        formToken = request.visitor.formToken
        seesAllApps = request.visitor.seesAllApps
    }

    init(
        language: Language, now: Instant, environment: StoreEnvironment, environments: [StoreEnvironment],
        apps: [ConsoleApp], app: ConsoleApp?, visitorName: String, permissions: Set<Permission>, formToken: String
    ) {
        self.language = language
        self.now = now
        self.environment = environment
        self.environments = environments
        self.apps = apps
        self.app = app
        self.visitorName = visitorName
        self.permissions = permissions
        self.formToken = formToken
    }

    /// Returns the path of a page of the same environment and app.
    func path(_ path: String) -> String {
        ConsolePath.page(path, environment: environment.name, app: app?.bundleID.rawValue)
    }
}

/// A page without navigation: signing in, and errors that belong to no environment.
struct BarePage: Sendable {
    var title: Text
    var blocks: [Block]
    var language: Language
    /// Sent by the page's forms, where the visitor has one.
    var formToken = ""
    /// The real time.
    var now: Instant
}
