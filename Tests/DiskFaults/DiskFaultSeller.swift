import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport

/// Sells from a SQLite file and says on standard output what it has acknowledged: run by DiskFaultTests with a disk that
/// fails. `DiskFaultSeller PATH KEYS NAME ROUNDS`
///
/// It says `sold TRANSACTION CUSTOMER` for each purchase that was acknowledged, `refused CUSTOMER ERROR` for each that wasn't.
@main
enum DiskFaultSeller {
    private static let customers = ["ann", "ben", "cem"]

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let rounds = Int(arguments[4]) else { exit(64) }
        do {
            try await sell(path: arguments[1], keys: arguments[2], name: arguments[3], rounds: rounds)
        } catch {
            say("failed \(error)")
            exit(1)
        }
    }

    private static func sell(path: String, keys: String, name: String, rounds: Int) async throws {
        var options = DatabaseOptions.forTests
        options.readers = 1
        // Short, so that a few purchases carry it over several times.
        options.logPagesDue = 24
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
                            say("sold \(sold.id) \(customer)")
                        } catch { say("refused \(customer) \(error)") }
                    }
                }
            }
        }
        database.close()
        say("closed")
    }

    /// At once: what was said before a process is lost has been said.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
