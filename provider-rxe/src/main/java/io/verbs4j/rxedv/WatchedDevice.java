/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rxedv;

import java.util.Map;

/** A device as its process last recorded it in the folder that the user's processes share. */
record WatchedDevice(long pid, String device, Map<String, Long> counters) implements RunningDevice {}
