import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport

/// Sells from a SQLite file and reports acknowledged purchases; run by DiskFaultTests with a failing disk.
///
/// Usage: `DiskFaultSeller PATH KEYS NAME ROUNDS`. It prints `sold TRANSACTION CUSTOMER` for each acknowledged purchase and
/// `refused CUSTOMER ERROR` for each other one.
@main
enum DiskFaultSeller {
    private static let customers = ["ann", "ben", "cem"]

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let rounds = Int(arguments[4]) else { exit(64) }
        do {
            try await sell(path: arguments[1], keys: arguments[2], name: arguments[3], rounds: rounds)
        } catch {
            report("failed \(error)")
            exit(1)
        }
    }

    private static func sell(path: String, keys: String, name: String, rounds: Int) async throws {
        var options = DatabaseOptions.forTests
        options.readers = 1
        // Low, so that a few purchases cause several checkpoints.
        options.checkpointThreshold = 24
        let database = try Database(.sqlite(path: path), options: options)
        try database.migrate()
        let identities = try SigningIdentities.load(from: URL(filePath: keys))
        let shop = try await TestStore.open(database, signing: Signing(identities))
        // All at once, so that checkpoints overlap with commits.
        await withTaskGroup { group in
            for customer in customers {
                group.addTask {
                    for round in 0..<rounds {
                        do {
                            let sold = try await shop.buy(
                                "film.roll", as: customer, key: "\(name) \(customer) \(round)")
                            report("sold \(sold.id) \(customer)")
                        } catch { report("refused \(customer) \(error)") }
                    }
                }
            }
        }
        database.close()
        report("closed")
    }

    /// Prints a line without buffering, so that it isn't lost with the process.
    private static func report(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
