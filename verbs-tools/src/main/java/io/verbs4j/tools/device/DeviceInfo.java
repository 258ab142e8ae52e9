/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.GidEntry;
import io.verbs4j.PortAttr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that a device reports about itself.
 *
 * @param name its name
 * @param transport a {@link io.verbs4j.TransportType} value
 * @param boardId the board's id in sysfs; empty if it has none
 * @param attr its attributes
 * @param attrEx its extended attributes; those of level 1 if there are no more
 * @param completionVectors number of completion vectors
 * @param vendor what it has beyond the verbs
 * @param ports the ports that were queried
 */
public record DeviceInfo(
        String name,
        int transport,
        String boardId,
        DeviceAttr attr,
        DeviceAttrEx attrEx,
        int completionVectors,
        VendorInfo vendor,
        List<Port> ports) {

    /**
     * Everything that a port reports about itself.
     *
     * @param number the port, from 1
     * @param attr its attributes
     * @param gids its GID table, without empty entries
     * @param pkeys its P_Key table
     */
    public record Port(int number, PortAttr attr, List<GidEntry> gids, List<Integer> pkeys) {}

    /**
     * Queries an open device.
     *
     * @param context the device
     * @param onlyPort the port to query, from 1; 0 for all
     */
    public static DeviceInfo ask(Context context, int onlyPort) {
        DeviceAttrEx attrEx = context.queryDeviceEx();
        DeviceAttr attr = attrEx.origAttr();
        List<GidEntry> gids = context.queryGidTable(); // of all ports at once
        List<Port> ports = new ArrayList<>();
        for (int number = 1; number <= attr.physPortCnt(); number++) {
            if (onlyPort == 0 || onlyPort == number) {
                ports.add(askPort(context, number, gids));
            }
        }
        String name = context.device().name();
        return new DeviceInfo(
                name,
                context.device().transportType(),
                boardId(name),
                attr,
                attrEx,
                context.numCompVectors(),
                VendorInfo.ask(context),
                ports);
    }

    private static Port askPort(Context context, int number, List<GidEntry> table) {
        PortAttr attr = context.queryPort(number);
        List<GidEntry> gids =
                table.stream().filter(entry -> entry.portNum() == number).toList();
        List<Integer> pkeys = new ArrayList<>();
        for (int i = 0; i < attr.pkeyTblLen(); i++) {
            pkeys.add(context.queryPkey(number, i));
        }
        return new Port(number, attr, gids, pkeys);
    }

    private static String boardId(String device) {
        try {
            return Files.readString(Path.of(sysfs(), "class", "infiniband", device, "board_id"))
                    .strip();
        } catch (IOException | RuntimeException e) {
            return ""; // not a device of the kernel
        }
    }

    /** {@return the root of sysfs, found as libibverbs does} */
    private static String sysfs() {
        String path = System.getenv("SYSFS_PATH");
        return path == null ? "/sys" : path;
    }
}
