import AppStoreFormats
import ArgumentParser
import Foundation
import PerennialConnect
import PerennialHTTP
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// The parts of a server, before it serves.
struct CompositionRootTests {
    /// Registering measures the clock by the database server's, and the catalog's import dates changes already.
    @Test func `a store is registered before it dates anything`() async throws {
        let url = try EphemeralPostgreSQL.shared().makeDatabase()
        let options = try DataOptions.parse(["--data", TemporaryFolder.make(), "--database", url])
        let directory = try DataDirectory(options, keys: Task { try TestSigning.identities })
        let file = DocumentedCommand.root.appending(path: "Examples/Magazine/catalog.yaml").path
        let catalog = try CatalogLoader.load(storekit: [], catalog: [file], bundleID: nil)
        try await Outbound.withClients(.any, logger: TestStore.quiet) { outbound in
            let root = try await CompositionRoot(
                directory: directory, catalog: catalog, from: [file], preferring: nil, digest: .sha256,
                outbound: outbound, logger: TestStore.quiet)
            defer { root.database.close() }
            let id = try #require(root.registry.nodes.id)
            #expect(try await root.database.read { try NodesTable.all(on: $0).map(\.id) } == [id])
        }
    }
}
