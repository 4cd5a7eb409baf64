import Foundation

/// A part of a processor that processes can't exceed, as if they had a slow machine of their own: a control group of
/// Linux with a quota of processor time (the kernel's sched-bwc.rst).
///
/// Nodes on one machine take processors from each other, from the database and from the clients. With a share each they
/// don't, so that a ratio says what the nodes cost each other and not how many processors there are.
struct ProcessorShare {
    /// The length of time in which the part is used up at most once, in microseconds: short beside a request's time
    /// would cost switches, long would show as waves.
    private static let period = 10_000
    private let folder: URL

    /// Makes a control group, or nothing where this process may not: it needs root, and the `cpu` controller.
    ///
    /// - Parameters:
    ///   - percent: Hundredths of a processor.
    ///   - name: A name that no other share has.
    init?(percent: Int, name: String) {
        let quota = percent * Self.period / 100
        let first = URL(fileURLWithPath: "/sys/fs/cgroup/cpu/\(name)", isDirectory: true)
        let second = URL(fileURLWithPath: "/sys/fs/cgroup/\(name)", isDirectory: true)
        if Self.make(first, [("cpu.cfs_period_us", "\(Self.period)"), ("cpu.cfs_quota_us", "\(quota)")]) {
            folder = first
        } else if Self.make(second, [("cpu.max", "\(quota) \(Self.period)")]) {
            folder = second
        } else {
            return nil
        }
    }

    private static func make(_ folder: URL, _ settings: [(file: String, text: String)]) -> Bool {
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)) != nil else {
            return false
        }
        for (file, text) in settings where !write(text, to: folder.appendingPathComponent(file)) {
            rmdir(folder.path)
            return false
        }
        return true
    }

    /// Writes to a file of the control group, which has to be there: such files can't be made.
    private static func write(_ text: String, to file: URL) -> Bool {
        guard let handle = try? FileHandle(forWritingTo: file) else { return false }
        defer { try? handle.close() }
        return (try? handle.write(contentsOf: Data(text.utf8))) != nil
    }

    /// Limits a process, with all of its threads.
    func limit(_ process: pid_t) throws {
        guard Self.write("\(process)", to: folder.appendingPathComponent("cgroup.procs")) else {
            throw BenchmarkError("process \(process) can't be given a share of a processor")
        }
    }

    /// Removes the control group, whose processes have ended.
    func remove() {
        rmdir(folder.path)
    }
}
