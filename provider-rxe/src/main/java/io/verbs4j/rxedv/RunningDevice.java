/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rxedv;

import io.verbs4j.provider.rxe.files.WatchFolder;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * An embedded device that a process of this user has in use, with what it has counted. Processes with the same folder for
 * temporary files are seen, from when they first exchange packets with another device on.
 *
 * @param pid the process
 * @param device the device's name
 * @param counters as {@link RxeDv#counters()}
 */
public record RunningDevice(long pid, String device, Map<String, Long> counters) {
    /**
     * Asks all processes to write their counters down every two seconds, for the next ten.
     *
     * @throws IOException where nothing can be written to the folder for temporary files
     */
    public static void watch() throws IOException {
        WatchFolder.find().want();
    }

    /**
     * What they have written down last.
     *
     * @return the devices, in no order; none of a process that has ended
     * @throws IOException where the folder can't be read
     */
    public static List<RunningDevice> all() throws IOException {
        return WatchFolder.find().read().stream()
                .map(entry -> new RunningDevice(entry.pid(), entry.device(), Map.copyOf(entry.counters())))
                .toList();
    }
}
