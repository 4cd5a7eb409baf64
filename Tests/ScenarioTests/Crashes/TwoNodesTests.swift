import PerennialStorage
import TestSupport
import Testing

/// Two processes on one database: no state in either that the other could contradict.
struct TwoNodesTests {
    @Test func `two nodes on one PostgreSQL sell to the same customers and agree`() async throws {
        let url = try EphemeralPostgreSQL.shared().makeDatabase()
        let data = try TemporaryFolder.make()
        async let one = RunningStore.start(data: data, ["--database", url])
        async let two = RunningStore.start(data: data, ["--database", url])
        let nodes = try await [one, two]
        #expect(nodes[0].ready["apps"] == nodes[1].ready["apps"])
        #expect(nodes[0].controlToken == nodes[1].controlToken)
        let answers = try await RunningStore.withClient { client in
            let accounts = ["ann", "ben", "cem"]
            // Both nodes make the accounts at the same time.
            let tokens = try await withThrowingTaskGroup(of: (String, String).self) { group in
                for account in accounts {
                    for node in nodes {
                        group.addTask { (account, try await RunningStore.signIn(client, node.sandbox, account)) }
                    }
                }
                return try await group.reduce(into: [(String, String)]()) { $0.append($1) }
            }
            return try await withThrowingTaskGroup(of: (key: String, reply: RunningStore.Reply).self) { group in
                for (account, token) in tokens {
                    for node in nodes {
                        for number in 0..<10 {
                            // The same key reaches both nodes, from both devices.
                            for product in ["film.roll", "filter.amber", "pass.1week"] {
                                let isKeyed = product == "film.roll"
                                let key =
                                    isKeyed
                                    ? "\(account)-\(number)" : "\(account)-\(product)-\(token)-\(node.url)-\(number)"
                                group.addTask {
                                    let reply = try await RunningStore.buy(
                                        client, node.sandbox, product, token: token, key: key)
                                    return (isKeyed ? key : "\(account)-\(product)", reply)
                                }
                            }
                        }
                    }
                }
                return try await group.reduce(into: [(key: String, reply: RunningStore.Reply)]()) { $0.append($1) }
            }
        }
        for node in nodes { #expect(await node.stop().status == 0) }
        for (key, group) in Dictionary(grouping: answers, by: \.key) {
            let sold = group.filter { $0.reply.status == 200 }.compactMap { $0.reply["transaction"] }
            switch key.split(separator: "-")[1] {
            case "pass.1week":
                #expect(sold.count == 1, "\(key)")
                #expect(group.filter { $0.reply["error"]?["code"] == "termStillRunning" }.count == group.count - 1)
            case "filter.amber":
                #expect(sold.count == group.count)
                #expect(sold.filter { $0["price"] != 0 }.count == 1, "\(key)")
                #expect(Set(sold.map { $0["originalTransactionId"] }).count == 1)
            default:
                #expect(sold.count == 4)
                #expect(Set(sold.map { $0["transactionId"] }).count == 1, "\(key)")
            }
        }
        let database = try Database(DatabaseLocation(url: url), options: .forTests)
        defer { database.close() }
        let books = try await StoredBooks(database)
        books.expectInOrder()
        #expect(books.sales.count == 3 * (10 + 40 + 1))
    }
}
