/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Meters of an open device, for Micrometer. */
package io.verbs4j.micrometer;
