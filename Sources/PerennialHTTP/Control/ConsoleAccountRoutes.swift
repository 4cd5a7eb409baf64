import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStorage

/// control/v1/console and the passwords of users: how people sign in to the console.
struct ConsoleAccountRoutes {
    private struct LinkAnswer: AnswerModel {
        var path: String
        var expires: String

        static let constraints: [String: Constraint] = [
            "expires": .time, "path": .described("Of the server, with a code that is used once"),
        ]

        init(_ link: ConsoleLink) {
            path = link.path
            expires = link.expires.rfc3339(fraction: true)
        }
    }

    private struct PasswordBody: RequestModel {
        var password: String

        static let constraints: [String: Constraint] = [
            "password": .text(bytes: ConsoleAccounts.minimumPasswordLength...PasswordHash.maximumPasswordSize)
        ]
    }

    let accounts: ConsoleAccounts

    func add(to routes: RouteGroup<ControlContext>) {
        routes.post("console/links", "Make a link that signs in to the console once, with all permissions", .created) {
            (_: Call<NoBody>, _) in
            LinkAnswer(try await accounts.makeLink())
        }
        routes.put("users/:user/password", "Set the password with which a user signs in to the console") {
            (call: Call<PasswordBody>, context) in
            try await accounts.setPassword(
                of: context.name("user"), to: try await call.body().password, from: context.clientAddress)
            return NoContent()
        }
        routes.post(
            "users/:user/password-link", "Make a link with which a user chooses a password for the console", .created
        ) { (_: Call<NoBody>, context) in
            LinkAnswer(try await accounts.makePasswordLink(of: context.name("user")))
        }
    }
}
