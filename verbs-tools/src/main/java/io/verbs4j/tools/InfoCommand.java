/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.device.CanText;
import io.verbs4j.tools.device.DeviceInfo;
import io.verbs4j.tools.device.DeviceInfoText;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.device.LevelsText;
import io.verbs4j.tools.text.Json;
import io.verbs4j.tools.text.Printable;
import io.verbs4j.tools.traffic.Limits;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code verbs info} command. */
@Command(
        name = "info",
        description = "Shows the attributes of devices, with the names and layout of ibv_devinfo.",
        sortOptions = false)
final class InfoCommand implements Callable<Integer> {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "show only this device (default: all)")
    String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = "show only this port (default: all)")
    Integer port;

    @Option(
            names = {"-l", "--list"},
            description = "list only the names of the devices")
    boolean list;

    @Option(
            names = {"-v", "--verbose"},
            description = "show all attributes, and the GID and P_Key tables")
    boolean verbose;

    @Option(
            names = "--levels",
            description = "show the levels of program, library and provider, and which extended verbs they give")
    boolean levels;

    @Option(
            names = "--can",
            description = "show what programs can query: operations, access rights, and what sets the device apart")
    boolean can;

    @Option(names = "--json", description = "write the output as JSON")
    boolean json;

    private final Devices devices;
    private final PrintStream out;

    InfoCommand(Devices devices, PrintStream out) {
        this.devices = devices;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (port != null) {
            Limits.check("-i", port, 1, Limits.MOST_PORTS);
        }
        List<Device> chosen = device == null ? devices.list() : List.of(devices.named(device));
        if (list) {
            names(chosen);
        } else if (chosen.isEmpty()) {
            devices.defaultDevice(); // throws an exception that says why
        } else {
            describe(chosen);
        }
        return ExitCode.OK;
    }

    private void names(List<Device> chosen) {
        if (json) {
            out.println(Json.write(chosen.stream().map(Device::name).toList()));
            return;
        }
        out.println(chosen.size() + " HCA" + (chosen.size() == 1 ? "" : "s") + " found:");
        chosen.forEach(d -> out.println("\t" + Printable.of(d.name())));
        out.println();
    }

    private void describe(List<Device> chosen) {
        List<Object> all = new ArrayList<>();
        for (Device d : chosen) {
            if (levels) {
                levels(d, all);
                continue;
            }
            DeviceInfo info = ask(d);
            if (can) {
                can(info, all);
            } else if (json) {
                all.add(DeviceInfoText.json(info));
            } else {
                out.print(DeviceInfoText.write(info, verbose));
            }
        }
        if (json) {
            out.println(Json.write(all));
        }
    }

    private void can(DeviceInfo info, List<Object> all) {
        if (json) {
            all.add(CanText.json(info));
        } else {
            out.print(CanText.write(info));
        }
    }

    private void levels(Device d, List<Object> all) {
        try (Context context = devices.open(d)) {
            if (json) {
                all.add(LevelsText.json(context));
            } else {
                out.print(LevelsText.write(context));
            }
        }
    }

    private DeviceInfo ask(Device d) {
        try (Context context = devices.open(d)) {
            DeviceInfo info = DeviceInfo.ask(context, port == null ? 0 : port);
            if (info.ports().isEmpty() && port != null) {
                throw ToolException.usage("-i " + port + ": " + d.name() + " has ports 1 to "
                        + info.attr().physPortCnt());
            }
            return info;
        }
    }
}
