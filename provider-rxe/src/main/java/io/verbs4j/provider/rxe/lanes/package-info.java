/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The embedded device's side of device code: rings in memory that lanes write and the device executes. */
package io.verbs4j.provider.rxe.lanes;
