/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Micrometer meters of an open device. */
package io.verbs4j.micrometer;
