/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rxedv;

import io.verbs4j.provider.rxe.files.WatchFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An embedded device that a process of this user has in use, with what it has counted. Processes with the same folder for
 * temporary files are seen, from when they first exchange packets with another device on. Any thread may ask.
 */
public interface RunningDevice {
    /**
     * The process that has it open.
     *
     * @return its number
     */
    long pid();

    /**
     * Which of the process's devices it is.
     *
     * @return the device's name
     */
    String device();

    /**
     * Its counters as it last wrote them down.
     *
     * @return as {@link RxeDv#counters()}; can't be changed
     */
    Map<String, Long> counters();

    /**
     * Asks all processes to write their counters down every two seconds, for the next ten.
     *
     * @throws IOException where nothing can be written to the folder for temporary files
     */
    static void watch() throws IOException {
        WatchFolder.find().want();
    }

    /**
     * What they have written down last.
     *
     * @return the devices, in no order; none of a process that has ended
     * @throws IOException where the folder can't be read
     */
    static List<RunningDevice> all() throws IOException {
        List<RunningDevice> all = new ArrayList<>();
        for (WatchFolder.Entry entry : WatchFolder.find().read()) {
            all.add(new WatchedDevice(entry.pid(), entry.device(), entry.counters()));
        }
        return List.copyOf(all);
    }
}
