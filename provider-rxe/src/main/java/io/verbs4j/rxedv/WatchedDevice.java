/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rxedv;

import java.util.Map;

/** A device as a process has last written it to the folder that its user's processes share. */
record WatchedDevice(long pid, String device, Map<String, Long> counters) implements RunningDevice {}
