/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.clock.TickClock;
import io.verbs4j.provider.rxe.link.LinkOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The configuration of the embedded devices, from system properties that begin with {@code io.verbs4j.rxe.}.
 *
 * @param devices number of devices
 * @param addresses addresses to use instead of discovered ones; empty to discover them
 * @param loopback whether messages within the JVM bypass packets
 * @param linkOptions options of the links
 * @param counters file to write counters to at the end; - for standard error, null for none
 * @param clock rate of the clock of completion time stamps
 * @param windows2a whether type 2 windows are of type 2A rather than 2B
 */
public record RxeConfig(
        int devices,
        List<InetAddress> addresses,
        boolean loopback,
        LinkOptions linkOptions,
        String counters,
        TickClock.Rate clock,
        boolean windows2a) {
    private static final String PREFIX = "io.verbs4j.rxe.";
    static final int MAX_DEVICES = 16;

    /** Creates a configuration with the default clock and windows. */
    public RxeConfig(
            int devices, List<InetAddress> addresses, boolean loopback, LinkOptions linkOptions, String counters) {
        this(devices, addresses, loopback, linkOptions, counters, TickClock.Rate.USUAL, false);
    }

    /** Reads the properties; throws an exception that names an invalid one. */
    public static RxeConfig fromProperties() {
        int devices = (int) number("devices", 1, MAX_DEVICES);
        String counters = System.getProperty(PREFIX + "counters", "").trim();
        return new RxeConfig(
                devices,
                addressList(),
                flag("loopback", true),
                linkOptionsFromProperties(),
                counters.isEmpty() ? null : counters,
                new TickClock.Rate(
                        (int) number("clockbits", TickClock.Rate.USUAL.bits(), TickClock.Rate.MAX_BITS),
                        number("clockkhz", TickClock.Rate.USUAL.khz(), TickClock.Rate.MAX_KHZ)),
                windows2aFromProperties());
    }

    private static boolean windows2aFromProperties() {
        String text = System.getProperty(PREFIX + "windows", "2B");
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "2A" -> true;
            case "2B" -> false;
            default -> throw bad("windows", text, "2A or 2B");
        };
    }

    private static long number(String name, long otherwise, long most) {
        String text = System.getProperty(PREFIX + name, Long.toString(otherwise));
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            value = -1;
        }
        if (value < 1 || value > most) {
            throw bad(name, text, "a number from 1 to " + most);
        }
        return value;
    }

    private static LinkOptions linkOptionsFromProperties() {
        try {
            return LinkOptions.fromProperties();
        } catch (IllegalArgumentException e) {
            throw new VerbsException(Errno.EINVAL, "get_device_list", e.getMessage(), e);
        }
    }

    private static boolean flag(String name, boolean otherwise) {
        String text = System.getProperty(PREFIX + name, Boolean.toString(otherwise));
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw bad(name, text, "true or false");
        };
    }

    private static List<InetAddress> addressList() {
        String text = System.getProperty(PREFIX + "addresses", "").trim();
        List<InetAddress> list = new ArrayList<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            try {
                // Accepts only literals: a name would need a slow lookup and could have several addresses.
                String literal = part.trim();
                if (!literal.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
                    throw new UnknownHostException(literal);
                }
                list.add(InetAddress.getByName(literal));
            } catch (UnknownHostException e) {
                throw bad("addresses", part, "IPv4 or IPv6 addresses, separated by commas");
            }
        }
        return list;
    }

    private static VerbsException bad(String name, String value, String expected) {
        return new VerbsException(
                Errno.EINVAL,
                "get_device_list",
                "system property " + PREFIX + name + " is '" + value + "'; it must be " + expected);
    }
}
