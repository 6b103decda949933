using LatencyTuner.Lab;

return LabCli.Run(args, Console.Out, Console.Error);
