/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rxedv;

import io.verbs4j.provider.rxe.files.WatchFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An embedded device in use by a process of this user, with its counters. All methods may be called from any thread.
 *
 * <p>Only processes with the same folder for temporary files are visible, and only once they have exchanged packets
 * with another device.
 */
public interface RunningDevice {
    /** {@return the number of the process that has the device open} */
    long pid();

    /** {@return the device's name; a process may use several devices} */
    String device();

    /** {@return the counters as the process last wrote them, as {@link RxeDv#counters()}; unmodifiable} */
    Map<String, Long> counters();

    /**
     * Asks all processes to write their counters every two seconds for the next ten seconds.
     *
     * @throws IOException if the folder for temporary files is not writable
     */
    static void watch() throws IOException {
        WatchFolder.find().want();
    }

    /**
     * Returns the devices in use, with the counters that their processes last wrote.
     *
     * @return the devices, in no particular order, without those of processes that have ended
     * @throws IOException if the folder cannot be read
     */
    static List<RunningDevice> all() throws IOException {
        List<RunningDevice> all = new ArrayList<>();
        for (WatchFolder.Entry entry : WatchFolder.find().read()) {
            all.add(new WatchedDevice(entry.pid(), entry.device(), entry.counters()));
        }
        return List.copyOf(all);
    }
}
