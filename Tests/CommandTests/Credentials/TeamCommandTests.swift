import Perennial
import TestSupport
import Testing

@testable import PerennialCommand

/// Users, their keys, and sandbox testers from the command line.
struct TeamCommandTests {
    @Test func `a user is created, gets a key, and leaves`() async throws {
        try await RunningStore.run { store in
            #expect(try await store.run("users").words == "The team has no users")
            let made = try await store.run(
                "users", "create", "uma@example.com", "--first-name", "Uma", "--last-name", "Urban", "--role",
                "developer", "--role", "generate-individual-keys", "--app", "com.example.magazine")
            #expect(made.words == "uma@example.com: DEVELOPER, GENERATE_INDIVIDUAL_KEYS, com.example.magazine")
            let file = "\(try TemporaryFolder.make())/uma.p8"
            _ = try await store.run(
                "keys", "create", "--kind", "connect", "--user", "uma@example.com", "--output", file)
            #expect(try await store.run("keys").words.contains("user "))
            let edited = try await store.run("users", "edit", "uma@example.com", "--role", "admin", "--all-apps")
            #expect(edited.words == "uma@example.com: ADMIN, all apps")
            let holder = try await store.run("users", "transfer", "uma@example.com")
            #expect(holder.words.contains("ACCOUNT_HOLDER"))
            await #expect(throws: (any Error).self) { try await store.run("users", "delete", "uma@example.com") }
        }
    }

    @Test func `a person is invited and accepted`() async throws {
        try await RunningStore.run { store in
            let person = ["ivy@example.com", "--first-name", "Ivy", "--last-name", "Ink", "--role", "sales"]
            let invited = try await RunningStore.run(["users", "invitations", "create"] + person + store.access)
            #expect(invited.words.hasPrefix("ivy@example.com is invited until "))
            #expect(try await store.run("users", "invitations", "list").words.contains("SALES"))
            #expect(
                try await store.run("users", "invitations", "accept", "ivy@example.com").words.hasPrefix(
                    "ivy@example.com: SALES"))
            #expect(try await store.run("users", "invitations", "list").words == "No one is invited")
        }
    }

    @Test func `a tester is changed and cleared`() async throws {
        try await RunningStore.run { store in
            try await store.shop.buyAndFinish("filter.amber", as: "ann")
            _ = try await store.run(
                "testers", "edit", "ann", "--first-name", "Ann", "--storefront", "DEU", "--renewal-rate",
                "monthlyRenewalEveryHour", "--asks-to-buy")
            let row = try #require(
                try await store.run("testers").words.split(separator: "\n").first { $0.contains(" ann ") })
            #expect(row.contains("Ann") && row.contains("DEU") && row.contains("monthly-renewal-every-hour"))
            #expect(row.contains("ask to buy"))
            let account = try await store.run("accounts", "edit", "ann", "--no-asks-to-buy")
            #expect(!account.words.contains("asks to buy"))
            #expect(try await store.run("testers", "clear", "ann").words == "ann has bought nothing")
            #expect(try await store.shop.restore("ann").isEmpty)
            await #expect(throws: (any Error).self) {
                try await store.run("testers", "edit", "eve", "--first-name", "Eve")
            }
        }
    }
}
