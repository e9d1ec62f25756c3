// Package estimate learns from the results of pairs which passes others should take first: how scores
// and their slack relate to lengths, and which passes fail.
//
// Files refer one way: estimator → rates → passes, observations → histogram → trial, slackpasses →
// slack, probes → fading, passcounts, classes.
package estimate
