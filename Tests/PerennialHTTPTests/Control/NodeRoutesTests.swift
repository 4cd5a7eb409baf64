import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// control/v1/nodes.
struct NodeRoutesTests {
    @Test(arguments: [Engine.sqlite, .postgres])
    func `the nodes are listed at the root with their work`(engine: Engine) async throws {
        try await StoreServer.run(on: engine) { server in
            let nodes = server.shop.registry.nodes
            nodes.startWorking()
            try await nodes.beat()
            try await server.shop.registry.divideWork()
            let reply = try await server.control(.get, "/control/v1/nodes")
            #expect(reply.status == 200)
            let listed = try #require(reply["nodes"]?.elements)
            #expect(listed.count == 1)
            let node = try #require(listed.first)
            #expect(node["isAnswering"] == true)
            #expect(node["silentSeconds"] == 0)
            #expect(node["started"]?.text == TestStore.opening.rfc3339(fraction: true))
            let works = (node["works"]?.elements ?? []).map { work in
                "\(work["kind"]?.text ?? "") \(work["environment"]?.text ?? "")"
            }
            // The manual clock's work is done by the node that advances it; SQLite needs no leases.
            #expect(
                works
                    == (engine == .sqlite
                        ? []
                        : [
                            "extensions Production", "extensions Sandbox", "priceChanges Production",
                            "priceChanges Sandbox", "renewals Production", "renewals Sandbox",
                        ]))
            #expect(try await server.control(.get, "/sandbox/control/v1/nodes").status == 404)
            #expect(try await server.ask(.get, "/control/v1/nodes").status == 401)
        }
    }
}
