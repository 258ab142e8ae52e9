/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The drivers that this module can recognise, with their {@link Quirks}: the only table of them. */
public enum Driver {
    /**
     * The kernel's rdma_rxe, and librxe. Only that driver has a file for its network interface; the name of the device
     * proves nothing, because it can be changed. Older kernels give the device the parent of the network interface,
     * which may be an adapter that another driver of this table drives, so this one comes first.
     */
    RXE(new RxeQuirks(), device -> device.apply("parent").isPresent()),

    /** libmlx5, judged by PCI id and, if the kernel reports it, by the kernel's driver. */
    MLX5(
            new Mlx5Quirks(),
            device -> hasDriver(device, "mlx5_core") && hasModalias(device, Modalias.MLX5, Driver::isMlx5)),

    /** libefa, judged by PCI id and, if the kernel reports it, by the kernel's driver. */
    EFA(new EfaQuirks(), device -> hasDriver(device, "efa") && hasModalias(device, Modalias.EFA, Matcher::matches)),

    /**
     * libhbl, judged by PCI vendor. The kernel's driver number does not help: newer kernels gave Gaudi's number to
     * another driver.
     */
    GAUDI(Quirks.NONE, device -> hasModalias(device, Modalias.GAUDI, Matcher::matches)),

    /** Any other. */
    OTHER(Quirks.NONE, device -> true);

    /** A class of its own, because many machines have no device to match. */
    private static final class Modalias {
        static final Pattern EFA = Pattern.compile("(?i)pci:v00001D0Fd0000EFA[0-9A-F].*", Pattern.DOTALL);
        static final Pattern GAUDI = Pattern.compile("(?i)pci:v00001DA3d.*", Pattern.DOTALL);
        static final Pattern MLX5 = Pattern.compile("(?i)pci:v000015B3d([0-9A-F]{8})");
    }

    /** First device id of the vendor that libmlx5 drives; lower ones are ConnectX-3 and older. */
    private static final int FIRST_MLX5 = 0x1011;

    /** Prefix of the description of siw's devices; the name of the network interface follows. */
    private static final String SIW = "Software iWARP";

    @SuppressWarnings("ImmutableEnumChecker") // has no fields
    private final Quirks quirks;

    @SuppressWarnings("ImmutableEnumChecker") // all are stateless
    private final Predicate<Function<String, Optional<String>>> drives;

    Driver(Quirks quirks, Predicate<Function<String, Optional<String>>> drives) {
        this.quirks = quirks;
        this.drives = drives;
    }

    /**
     * Returns the driver of a device.
     *
     * @param device returns an attribute by its path below the device's directory in sysfs, or empty
     */
    public static Driver of(Function<String, Optional<String>> device) {
        for (Driver driver : values()) {
            if (driver.drives.test(device)) {
                return driver;
            }
        }
        throw new AssertionError(); // the last one drives all
    }

    /** {@return where the driver deviates} */
    public Quirks quirks() {
        return quirks;
    }

    /**
     * Returns whether a device has no hardware of its own, although it has a parent: devices of rdma_rxe and siw.
     *
     * @param device as for {@link #of}
     */
    public boolean isSoftware(Function<String, Optional<String>> device) {
        return this == RXE
                || device.apply("node_desc")
                        .filter(text -> text.startsWith(SIW))
                        .isPresent();
    }

    private static boolean hasDriver(Function<String, Optional<String>> device, String name) {
        return device.apply("device/uevent")
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith("DRIVER=")).findFirst())
                .map(line -> line.equals("DRIVER=" + name))
                .orElse(true);
    }

    private static boolean hasModalias(
            Function<String, Optional<String>> device, Pattern pattern, Predicate<Matcher> fits) {
        return device.apply("device/modalias")
                .map(pattern::matcher)
                .filter(fits)
                .isPresent();
    }

    private static boolean isMlx5(Matcher modalias) {
        return modalias.lookingAt() && Integer.parseUnsignedInt(modalias.group(1), 16) >= FIRST_MLX5;
    }
}
