import Foundation

#if canImport(Darwin)
    import Darwin
#endif

/// The process's resident memory, in bytes, as the system counts it.
enum ResidentMemory {
    #if canImport(Darwin)
        static func current() -> Int { info().map { Int($0.resident_size) } ?? 0 }
        /// macOS can't forget a peak: this is the highest since the process began.
        static func peak() -> Int { info().map { Int($0.resident_size_max) } ?? 0 }
        static func forgetPeak() {}

        private static func info() -> mach_task_basic_info? {
            var info = mach_task_basic_info()
            var count = mach_msg_type_number_t(MemoryLayout.size(ofValue: info) / MemoryLayout<natural_t>.size)
            let code = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
                }
            }
            return code == KERN_SUCCESS ? info : nil
        }
    #else
        static func current() -> Int { field("VmRSS:") }
        static func peak() -> Int { field("VmHWM:") }
        /// proc(5): writing 5 to `clear_refs` sets the peak to what is resident now.
        static func forgetPeak() {
            try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        }

        private static func field(_ name: String) -> Int {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
                ?? 0
        }
    #endif
}
