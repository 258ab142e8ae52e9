/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.device.DeviceList;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.text.Json;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code verbs devices} command. */
@Command(
        name = "devices",
        description =
                "Lists the devices as ibv_devices does, with their providers, and why any provider was set aside.")
final class DevicesCommand implements Callable<Integer> {
    @Option(names = "--json", description = "write the list as JSON")
    boolean json;

    private final Devices devices;
    private final PrintStream out;

    DevicesCommand(Devices devices, PrintStream out) {
        this.devices = devices;
        this.out = out;
    }

    @Override
    public Integer call() {
        DeviceList list = new DeviceList(devices);
        out.print(json ? Json.write(list.json()) + System.lineSeparator() : list.text());
        if (devices.list().isEmpty()) {
            devices.defaultDevice(); // throws an exception that says why
        }
        return ExitCode.OK;
    }
}
